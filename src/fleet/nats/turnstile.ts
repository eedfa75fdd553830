/** Lets a few pieces of work run at a time; the others wait, in order. */
export class Turnstile {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs some work when it is its turn. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running === this.#most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
