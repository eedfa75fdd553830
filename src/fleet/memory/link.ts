import { setMaxListeners } from "node:events";
import { type JoinedSignal, joinSignals } from "../../lib/join-signals.js";
import { UnreachableError } from "../broker.js";
import { Changes } from "../changes.js";

/** The connection of one client to a store in memory. Tests cut it, as a network would. */
export class Link {
  readonly #end = new AbortController();
  readonly #up = new Changes();
  #isCut = false;

  constructor() {
    setMaxListeners(0, this.#end.signal); // each loop that waits has one
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Aborted when the client closes. */
  get closed(): AbortSignal {
    return this.#end.signal;
  }

  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    this.#up.notify();
  }

  close(): void {
    this.#end.abort();
  }

  /** Throws if the store cannot be reached. */
  check(): void {
    if (this.#end.signal.aborted) throw new UnreachableError("The connection is closed");
    if (this.#isCut) throw new UnreachableError("The broker in memory is cut off");
  }

  /** Resolves when the store can be reached, or the signal aborts. */
  async whenUp(signal: AbortSignal): Promise<void> {
    while (this.#isCut && !signal.aborted) await this.#up.next(signal);
  }

  /** Aborts with the given signal, or when the client closes; the caller ends it. */
  until(signal: AbortSignal): JoinedSignal {
    return joinSignals(signal, this.#end.signal);
  }
}
