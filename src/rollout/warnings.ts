/** Collects what is wrong with a file, so that a file full of faults does not fill the memory. */
export class Warnings {
  #messages: string[] = [];
  #seen = new Map<string, number>();
  #more = 0;
  #limit: number;

  constructor(limit = 20) {
    this.#limit = limit;
  }

  add(message: string): void {
    if (this.#messages.length < this.#limit) this.#messages.push(message);
    else this.#more++;
  }

  /** Counts a fault that is told once, however often it occurs. */
  count(message: string): void {
    const count = this.#seen.get(message) ?? 0;
    if (count === 0 && this.#seen.size >= this.#limit) this.#more++;
    else this.#seen.set(message, count + 1);
  }

  /** All that is known, as sentences for the user. */
  list(): string[] {
    const counted = [...this.#seen].map(([message, count]) =>
      count === 1 ? `${message}.` : `${message} (${count} times).`,
    );
    const rest = this.#more === 0 ? [] : [`There are ${this.#more} more problems like these.`];
    return [...this.#messages, ...counted, ...rest];
  }
}
