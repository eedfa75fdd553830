import type { Config } from "../../config/index.js";
import type { LoadedSkills, SkillCatalogue, SkillRoot } from "../../project/index.js";
import type { Host } from "../host.js";
import type { Thread } from "../thread/thread.js";

/** Lists of skills for clients, cached until they are cleared. */
export class SkillLists {
  #parts: Host;
  #config: () => Promise<Config>;
  #catalogue: Promise<SkillCatalogue> | undefined;
  /** Additional folders, as one text. */
  extraRoots = "";

  /** `config` loads the settings that disable skills. */
  constructor(parts: Host, config: () => Promise<Config>) {
    this.#parts = parts;
    this.#config = config;
  }

  /** Returns the skills for a working directory. */
  async forCwd(cwd: string): Promise<LoadedSkills> {
    return (await this.#current()).forCwd(cwd);
  }

  /** Returns the folders that are searched for skills, existing or not. */
  async rootsFor(cwd: string): Promise<SkillRoot[]> {
    return (await this.#current()).rootsFor(cwd);
  }

  /** Clears the cache; loaded threads read their skills again, too. */
  clear(): void {
    this.#catalogue = undefined;
    this.#parts.forgetSkills();
  }

  /** Replaces the additional folders with skills. */
  setRoots(roots: readonly string[]): void {
    this.#parts.setSkillRoots(roots);
    this.extraRoots = roots.join("\0");
    this.clear();
  }

  #current(): Promise<SkillCatalogue> {
    this.#catalogue ??= this.#open();
    return this.#catalogue;
  }

  async #open(): Promise<SkillCatalogue> {
    try {
      return this.#parts.createSkills(await this.#config());
    } catch (error) {
      this.#catalogue = undefined; // the next caller tries again
      throw error;
    }
  }
}

/** Skill folders of threads. */
export class ThreadSkills {
  readonly #lists: SkillLists;
  readonly #onEnd: () => void;
  readonly #known = new WeakSet<Thread>();
  #last: { cwds: string; roots: readonly SkillRoot[] } = { cwds: "", roots: [] };

  /** `onEnd` is called when a thread that was passed to `rootsOf` has ended. */
  constructor(lists: SkillLists, onEnd: () => void) {
    this.#lists = lists;
    this.#onEnd = onEnd;
  }

  /**
   * Returns the folders for all threads; the same list while their working directories are the
   * same.
   */
  async rootsOf(threads: readonly Thread[]): Promise<readonly SkillRoot[]> {
    for (const thread of threads) this.#awaitEnd(thread);
    const places = [...new Set(threads.map(({ settings }) => settings.cwd))].sort();
    const cwds = [...places, this.#lists.extraRoots].join("\0");
    if (cwds === this.#last.cwds) return this.#last.roots;
    const roots = new Map<string, SkillRoot>();
    for (const cwd of places) {
      for (const root of await this.#lists.rootsFor(cwd)) roots.set(root.path, root);
    }
    this.#last = { cwds, roots: [...roots.values()] };
    return this.#last.roots;
  }

  #awaitEnd(thread: Thread): void {
    if (this.#known.has(thread)) return;
    this.#known.add(thread);
    void thread.ended.then(this.#onEnd);
  }
}
