import type { Broker, DirectoryEntry } from "../broker.js";
import type { Owner } from "./thread-output.js";
import type { ThreadView } from "./thread-view.js";

/** Keeps the entry of a thread in the list of all threads up to date; only the last change is written. */
export class ThreadDirectory {
  readonly #broker: Broker;
  readonly #owner: Owner;
  readonly #pool: string;
  readonly #view: ThreadView;
  #written = "";
  #writing: Promise<void> | undefined;

  constructor(broker: Broker, owner: Owner, pool: string, view: ThreadView) {
    this.#broker = broker;
    this.#owner = owner;
    this.#pool = pool;
    this.#view = view;
  }

  /** Called after each change; writes the entry if what a list shows has changed. */
  update(): void {
    if (!this.#view.hasUserMessage || this.#stateKey === this.#written) return;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when the last change is written, as far as the broker can be reached. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  get #stateKey(): string {
    const { state, name } = this.#view;
    return JSON.stringify([state, name]);
  }

  async #write(): Promise<void> {
    while (this.#stateKey !== this.#written) {
      const key = this.#stateKey;
      try {
        await this.#broker.directory.put(this.#entry());
      } catch {
        return; // The next change, or the next owner, writes it.
      }
      this.#written = key;
    }
  }

  #entry(): DirectoryEntry {
    const { head, updatedAtMs, state, name, tokens } = this.#view;
    const { threadId, worker, epoch } = this.#owner;
    return {
      threadId,
      pool: this.#pool,
      head,
      createdAtMs: Date.parse(head[0]?.timestamp ?? "") || updatedAtMs,
      updatedAtMs,
      state,
      worker,
      epoch,
      ...(name === undefined ? {} : { name }),
      ...(tokens === undefined ? {} : { tokens }),
    };
  }
}
