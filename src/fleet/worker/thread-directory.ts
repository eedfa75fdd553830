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
  /** True if lists show the entry: it has a message of the user. */
  #isListed = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** True if the timer is about to end. */
  #isSoon = false;

  constructor(broker: Broker, owner: Owner, pool: string, view: ThreadView) {
    this.#broker = broker;
    this.#owner = owner;
    this.#pool = pool;
    this.#view = view;
  }

  /** Called after each change; writes the entry if what a list shows has changed. */
  update(): void {
    if (!this.#view.isConfigured || this.#stateKey === this.#written) return;
    const isBrief = this.#view.state === "running" && this.#isListed;
    if (isBrief) this.#timer ??= setTimeout(() => this.#start(), runningMs);
    else this.#startSoon();
  }

  /** Resolves when the last change is written, as far as the broker can be reached. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#view.isConfigured && this.#stateKey !== this.#written) this.#start();
    await this.#writing;
  }

  /** Writes nothing more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** Writes after the log has been sent what has changed: clients wait for that. */
  #startSoon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), 0);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isSoon = false;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  get #stateKey(): string {
    const { state, name, updatedAtMs, readTo, hasUserMessage } = this.#view;
    const shown = [state, name, hasUserMessage];
    return JSON.stringify(state === "running" ? shown : [...shown, updatedAtMs, readTo]);
  }

  async #write(): Promise<void> {
    while (this.#stateKey !== this.#written) {
      const key = this.#stateKey;
      const isListed = this.#view.hasUserMessage;
      try {
        await this.#broker.directory.put(this.#entry());
      } catch {
        return; // The next change, or the next owner, writes it.
      }
      this.#written = key;
      this.#isListed = isListed;
    }
  }

  #entry(): DirectoryEntry {
    const { head, updatedAtMs, state, name, tokens, readTo } = this.#view;
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
      ...(readTo === undefined ? {} : { readTo }),
    };
  }
}

/** A turn that is shorter is written only when it has ended. */
const runningMs = 50;
