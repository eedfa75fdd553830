/** Counts the windows of a conversation: each summary begins a new one. */
export class ContextWindows {
  readonly #newId: () => string;
  /** How the conversation came about. */
  beginning: "new" | "resumed" = "new";
  number = 0;
  id: string;

  constructor(newId: () => string) {
    this.#newId = newId;
    this.id = newId();
  }

  next(): void {
    this.number++;
    this.id = this.#newId();
  }
}
