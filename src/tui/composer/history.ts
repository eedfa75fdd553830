import { sanitize } from "../text/sanitize.js";

/** Sent messages, browsed with Up and Down. */
export class History {
  #texts: string[] = [];
  /** Index of the recalled message, counted from the newest; -1 if none is recalled. */
  #index = -1;
  #recalled: string | undefined;
  #draft = "";

  /** Adds a message that was just sent. */
  add(text: string): void {
    this.#texts = withoutRepeats([...this.#texts, text.trim()]);
    this.#index = -1;
    this.#recalled = undefined;
  }

  /** Adds messages of earlier sessions, oldest first, before those of this one. */
  addEarlier(texts: readonly string[]): void {
    this.#texts = withoutRepeats([...texts.map((text) => text.trim()), ...this.#texts]);
  }

  /**
   * Returns whether Up and Down browse the messages instead of moving the cursor.
   *
   * They do in an empty composer, and at the start or end of a recalled message that was not
   * edited, so that a message of several lines is skipped with one key.
   */
  isBrowsing(text: string, isAtEdge: boolean): boolean {
    return text === "" || (text === this.#recalled && isAtEdge);
  }

  /** Returns the rest of the newest message that starts with the text; undefined if there is none. */
  suggestion(text: string): string | undefined {
    if (text.trim().length < 2 || text.includes("\n")) return undefined;
    const found = this.#texts.findLast(
      (each) => each.length > text.length && each.startsWith(text),
    );
    return found === undefined ? undefined : sanitize(found).slice(text.length).split("\n", 1)[0];
  }

  /** Returns the text of the next older (1) or newer (-1) message; undefined at either end. */
  move(by: 1 | -1, current: string): string | undefined {
    if (this.#recalled !== current) this.#index = -1;
    const next = this.#index + by;
    const stored = next === -1 ? this.#draft : this.#texts.at(-1 - next);
    if (next < -1 || stored === undefined) return undefined;
    const text = sanitize(stored);
    if (this.#index === -1) this.#draft = current;
    this.#index = next;
    this.#recalled = next === -1 ? undefined : text;
    return text;
  }
}

function withoutRepeats(texts: readonly string[]): string[] {
  return texts.filter((text, index) => text !== "" && text !== texts[index - 1]);
}
