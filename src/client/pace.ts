/**
 * Lets the reader of a connection wait for the consumer of a turn.
 *
 * All turns share the connection, so it waits only if a single turn runs and no request is pending: a
 * consumer that uses another thread, or the same one, before it takes the next event gets its reply.
 */
export class Pace {
  readonly #turns = new Set<Room>();
  #requests = 0;
  #release: (() => void) | undefined;
  /** True from a wait that took too long until the consumer has caught up. */
  #gaveUp = false;

  /** Adds a running turn; returns a function that removes it. */
  add(room: Room): () => void {
    const own: Room = () => room();
    this.#turns.add(own);
    this.release();
    return () => {
      this.#turns.delete(own);
    };
  }

  /** Counts a request as pending until it has its reply. */
  count(request: Promise<unknown>): void {
    this.#requests++;
    this.release();
    const done = () => {
      this.#requests--;
    };
    request.then(done, done);
  }

  /** Returns a promise if the next message should not be read yet. */
  room(): Promise<void> | undefined {
    if (this.#requests > 0 || this.#turns.size !== 1) return undefined;
    const [room] = this.#turns;
    const free = room?.();
    if (free === undefined) this.#gaveUp = false;
    if (free === undefined || this.#gaveUp) return undefined;
    return new Promise((resolve) => {
      // A server ends the connection of a client that reads nothing at all.
      const timer = setTimeout(() => {
        this.#gaveUp = true;
        resolve();
      }, longestMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#release = done;
      void free.then(done);
    });
  }

  /** Lets a waiting reader continue. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** Returns a promise if the consumer of a turn is far behind. */
export type Room = () => Promise<void> | undefined;

const longestMs = 5000;
