/** Collects problems of a file, up to a limit, so that a corrupt file does not fill the memory. */
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

  /** Counts a problem that is listed once. */
  count(message: string): void {
    const count = this.#seen.get(message) ?? 0;
    if (count === 0 && this.#seen.size >= this.#limit) this.#more++;
    else this.#seen.set(message, count + 1);
  }

  /** Returns all problems as sentences for the user. */
  list(): string[] {
    const counted = [...this.#seen].map(([message, count]) =>
      count === 1 ? `${message}.` : `${message} (${count} times).`,
    );
    const rest = this.#more === 0 ? [] : [`There are ${this.#more} more problems like these.`];
    return [...this.#messages, ...counted, ...rest];
  }
}
