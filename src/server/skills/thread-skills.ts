import type { SkillRoot } from "../../project/index.js";
import type { Thread } from "../threads/index.js";
import type { SkillLists } from "./lists.js";

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
