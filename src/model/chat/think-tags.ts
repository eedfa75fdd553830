/** A piece of an answer: text for the user, or a thought. */
export interface TaggedPiece {
  isThought: boolean;
  text: string;
}

const open = "<think>";
const close = "</think>";

/** Blank space in front of a tag that is held back; more of it is text. */
const longestBlank = 1000;

/**
 * Separates thoughts that a model writes as `<think>…</think>` in front of its answer.
 *
 * Tags later in the answer are text: a model may write about them.
 */
export class ThinkTags {
  #state: "start" | "thought" | "gap" | "text" = "start";
  #held = "";

  /** Splits the next piece; the end of it is held back while it may be part of a tag. */
  split(piece: string): TaggedPiece[] {
    if (this.#state === "text") return [{ isThought: false, text: piece }];
    this.#held += piece;
    if (this.#state === "start" && !this.#readStart()) return [];
    return this.#state === "thought" ? this.#readThought() : this.#readText();
  }

  /** Returns the text that was held back until the end of the answer. */
  rest(): string {
    const held = this.#state === "start" ? this.#held : "";
    this.#held = "";
    return held;
  }

  /** Returns true if it is clear how the answer starts. */
  #readStart(): boolean {
    const text = this.#held.trimStart();
    const mayBeTag = text.length < open.length && open.startsWith(text);
    if (mayBeTag && this.#held.length < longestBlank) return false;
    if (text.startsWith(open)) {
      this.#state = "thought";
      this.#held = text.slice(open.length);
    } else this.#state = "text";
    return true;
  }

  #readThought(): TaggedPiece[] {
    const end = this.#held.indexOf(close);
    if (end < 0) {
      const kept = openEnd(this.#held);
      const text = this.#held.slice(0, this.#held.length - kept);
      this.#held = this.#held.slice(text.length);
      return [{ isThought: true, text }];
    }
    const thought = { isThought: true, text: this.#held.slice(0, end) };
    this.#state = "gap";
    this.#held = this.#held.slice(end + close.length);
    return [thought, ...this.#readText()];
  }

  /** Blank space between thought and answer belongs to neither. */
  #readText(): TaggedPiece[] {
    const text = this.#state === "gap" ? this.#held.trimStart() : this.#held;
    this.#held = "";
    if (text !== "") this.#state = "text";
    return [{ isThought: false, text }];
  }
}

/** Returns the number of characters at the end that may be the start of the closing tag. */
function openEnd(text: string): number {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--) {
    if (close.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
