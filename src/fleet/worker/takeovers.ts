/**
 * Takes over the threads of a lost worker, a few at a time.
 *
 * All at once, the last of them would be ready when the first is: on a busy machine that is late for each. And the worker
 * that notices first would have them all, while the others idle.
 */
export class Takeovers {
  readonly #takeOver: (threadId: string) => Promise<void>;
  /** Threads that wait, in order. */
  readonly #waiting = new Set<string>();
  #running = 0;

  /** `takeOver` resolves when the thread is loaded, or belongs to another worker; it does not reject. */
  constructor(takeOver: (threadId: string) => Promise<void>) {
    this.#takeOver = takeOver;
  }

  add(threadId: string): void {
    this.#waiting.add(threadId);
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#running === mostAtATime) return;
    this.#running++;
    for (;;) {
      const [threadId] = this.#waiting;
      if (threadId === undefined) break;
      this.#waiting.delete(threadId);
      await this.#takeOver(threadId);
    }
    this.#running--;
  }
}

const mostAtATime = 4;
