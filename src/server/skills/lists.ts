import type { Config } from "../../config/index.js";
import type { LoadedSkills, SkillCatalogue, SkillRoot } from "../../project/index.js";
import type { Host } from "../host.js";
import type { Thread } from "../thread/thread.js";

/** The skills that clients are told of, remembered until they are asked for anew. */
export class SkillLists {
  #parts: Host;
  #config: () => Promise<Config>;
  #catalogue: Promise<SkillCatalogue> | undefined;

  /** `config` gives the settings that turn skills off. */
  constructor(parts: Host, config: () => Promise<Config>) {
    this.#parts = parts;
    this.#config = config;
  }

  /** The skills for work in a folder. */
  async forCwd(cwd: string): Promise<LoadedSkills> {
    return (await this.#current()).forCwd(cwd);
  }

  /** Where these are looked for, whether there is something or not. */
  async rootsFor(cwd: string): Promise<SkillRoot[]> {
    return (await this.#current()).rootsFor(cwd);
  }

  /** Looks at disk and settings again when asked next, and so do loaded threads at the disk. */
  clear(): void {
    this.#catalogue = undefined;
    this.#parts.forgetSkills();
  }

  #current(): Promise<SkillCatalogue> {
    this.#catalogue ??= this.#open();
    return this.#catalogue;
  }

  async #open(): Promise<SkillCatalogue> {
    try {
      return this.#parts.createSkills(await this.#config());
    } catch (error) {
      this.#catalogue = undefined; // whoever asks next tries again
      throw error;
    }
  }
}

/** Where the skills of threads are looked for. */
export class ThreadSkills {
  readonly #lists: SkillLists;
  readonly #onEnd: () => void;
  readonly #known = new WeakSet<Thread>();
  #last: { cwds: string; roots: readonly SkillRoot[] } = { cwds: "", roots: [] };

  /** `onEnd` hears that a thread which was asked about has ended. */
  constructor(lists: SkillLists, onEnd: () => void) {
    this.#lists = lists;
    this.#onEnd = onEnd;
  }

  /** The folders for all of these threads, each once; the same list while they work where they did. */
  async rootsOf(threads: readonly Thread[]): Promise<readonly SkillRoot[]> {
    for (const thread of threads) this.#awaitEnd(thread);
    const places = [...new Set(threads.map(({ settings }) => settings.cwd))].sort();
    const cwds = places.join("\0");
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
