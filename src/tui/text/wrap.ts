import { ActiveStyles } from "./active-styles.js";
import { graphemes } from "./graphemes.js";
import { isSingle, widthOf } from "./width.js";

/**
 * Styled text in lines of at most `width` columns, broken between words where there are any.
 *
 * A style that a line ends in goes on in the next one. The work is the length of the text, however
 * long its lines and words are.
 */
export function wrap(text: string, width: number): string[] {
  if (!text.includes("\n") && widthOf(text) <= width) return [text];
  const lines = new Lines(Math.max(1, width));
  for (const [token] of text.matchAll(tokens)) lines.add(token);
  return lines.end();
}

/** Styles, line ends, spaces, words. */
const tokens = /\x1b\[[\d;]*m|\n| +|[^\x1b\n ]+|\x1b/g;

/** Lines that are being filled. */
class Lines {
  readonly #width: number;
  readonly #styles = new ActiveStyles();
  readonly #full: string[] = [];
  #line = "";
  #filled = 0;
  #endsStyled = false;
  /** Spaces and styles that are only written when a word follows on the same line. */
  #waiting = "";
  #spaces = 0;

  constructor(width: number) {
    this.#width = width;
  }

  add(token: string): void {
    if (token === "\n") this.#break();
    else if (token.startsWith(" ")) {
      this.#waiting += token;
      this.#spaces += token.length;
    } else if (token.startsWith("\x1b")) {
      this.#waiting += token;
      this.#styles.follow(token);
    } else this.#word(token);
  }

  end(): string[] {
    return [...this.#full, this.#line + this.#waiting.replaceAll(" ", "")];
  }

  #word(word: string): void {
    const size = widthOf(word);
    const fits = this.#filled + this.#spaces + size <= this.#width;
    if (!fits && (this.#filled > 0 || this.#spaces > 0)) this.#begin();
    if (size <= this.#width) this.#write(word, size);
    else this.#longWord(word);
  }

  /** A word that is longer than a line is cut where each is full. */
  #longWord(word: string): void {
    for (const character of isSingle(word) ? word.split("") : graphemes(word)) {
      const size = widthOf(character);
      if (this.#filled > 0 && this.#filled + size > this.#width) this.#break();
      this.#write(character, size);
    }
  }

  #write(text: string, size: number): void {
    this.#line += this.#waiting + text;
    this.#filled += this.#spaces + size;
    this.#endsStyled = !this.#styles.isEmpty;
    this.#waiting = "";
    this.#spaces = 0;
  }

  /** Goes to a fresh line, if this one holds more than spaces. */
  #begin(): void {
    if (this.#filled > 0) this.#break();
    this.#waiting = this.#waiting.replaceAll(" ", "");
    this.#spaces = 0;
  }

  #break(): void {
    this.#full.push(this.#endsStyled ? `${this.#line}\x1b[0m` : this.#line);
    this.#line = "";
    this.#filled = 0;
    this.#endsStyled = false;
    this.#waiting = this.#styles.codes;
    this.#spaces = 0;
  }
}
