/** An item and its score. */
export interface Scored<Item> {
  item: Item;
  score: number;
}

/** Keeps the items with the highest scores; of equal scores, those that compare first. */
export class TopList<Item> {
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;
  /** A heap with the worst item at the top. */
  readonly #heap: Scored<Item>[] = [];

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  add(item: Item, score: number): void {
    const [worst] = this.#heap;
    if (this.#heap.length < this.#limit) {
      this.#heap.push({ item, score });
      this.#rise(this.#heap.length - 1);
    } else if (worst !== undefined && this.#isWorse(worst, { item, score })) {
      this.#heap[0] = { item, score };
      this.#sink(0);
    }
  }

  /** Returns the items, best first. */
  sorted(): Scored<Item>[] {
    return [...this.#heap].sort((a, b) => (this.#isWorse(a, b) ? 1 : -1));
  }

  #isWorse(a: Scored<Item>, b: Scored<Item>): boolean {
    return a.score === b.score ? this.#compare(a.item, b.item) > 0 : a.score < b.score;
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfWorse(index, parent)) return;
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const [a, b] = [this.#heap[left], this.#heap[right]];
      if (a === undefined) return;
      const worse = b !== undefined && this.#isWorse(b, a) ? right : left;
      if (!this.#swapIfWorse(worse, index)) return;
      index = worse;
    }
  }

  #swapIfWorse(lower: number, upper: number): boolean {
    const [a, b] = [this.#heap[lower], this.#heap[upper]];
    if (a === undefined || b === undefined || !this.#isWorse(a, b)) return false;
    this.#heap[lower] = b;
    this.#heap[upper] = a;
    return true;
  }
}
