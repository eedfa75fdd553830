import { isUnbroken, unbrokenUrl } from "./hyperlink.js";
import { graphemes, isSingle, widthOf } from "./width.js";

/**
 * Styled text in lines of at most `width` columns, broken between words where there are any.
 *
 * A style that a line ends in goes on in the next one. The work is the length of the text, however
 * long its lines and words are.
 */
export function wrap(text: string, width: number): string[] {
  return wrapped(text, width, false);
}

/** The same for text that people read: a URL that is too long gets a line for itself, unbroken. */
export function wrapProse(text: string, width: number): string[] {
  return wrapped(text, width, true);
}

function wrapped(text: string, width: number, hasUrls: boolean): string[] {
  if (!text.includes("\n") && widthOf(text) <= width) return [text];
  const lines = new Lines(Math.max(1, width), hasUrls);
  for (const [token] of text.matchAll(tokens)) lines.add(token);
  return lines.end();
}

/** Styles, hyperlinks, line ends, spaces, words. */
const tokens = /\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\|\n| +|[^\x1b\n ]+|\x1b/g;
/** A URL with what may stand around it. */
const urlWord = /^[("'<[]?(https?:\/\/.+?)([)"'>\]]?[.,;:!?]*)$/i;

/** Lines that are being filled. */
class Lines {
  readonly #width: number;
  readonly #hasUrls: boolean;
  readonly #styles = new ActiveStyles();
  readonly #full: string[] = [];
  #line = "";
  #filled = 0;
  #endsStyled = false;
  /** Spaces and styles that are only written when a word follows on the same line. */
  #waiting = "";
  #spaces = 0;

  constructor(width: number, hasUrls: boolean) {
    this.#width = width;
    this.#hasUrls = hasUrls;
  }

  add(token: string): void {
    if (token === "\n") this.#break();
    else if (token.startsWith(" ")) {
      if (this.#line === "" && isUnbroken(this.#full.at(-1) ?? "")) return;
      this.#waiting += token;
      this.#spaces += token.length;
    } else if (token.startsWith("\x1b")) {
      this.#waiting += token;
      this.#styles.follow(token);
    } else this.#word(token);
  }

  end(): string[] {
    const rest = this.#line + this.#waiting.replaceAll(" ", "");
    // Behind a URL there may be nothing but the end of its styles.
    const isOver = isUnbroken(this.#full.at(-1) ?? "") && widthOf(rest) === 0;
    return isOver ? this.#full : [...this.#full, rest];
  }

  #word(word: string): void {
    const size = widthOf(word);
    const fits = this.#filled + this.#spaces + size <= this.#width;
    if (!fits && (this.#filled > 0 || this.#spaces > 0)) this.#begin();
    if (size <= this.#width) this.#write(word, size);
    else if (this.#hasUrls && urlWord.test(word)) this.#url(word);
    else this.#longWord(word);
  }

  #url(word: string): void {
    const [, url = word] = urlWord.exec(word) ?? [];
    this.#full.push(unbrokenUrl(url, `${this.#styles.colors}${url}`));
    this.#line = "";
    this.#filled = 0;
    this.#endsStyled = false;
    this.#waiting = this.#styles.codes;
    this.#spaces = 0;
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
    this.#full.push(this.#endsStyled ? `${this.#line}${this.#styles.end}` : this.#line);
    this.#line = "";
    this.#filled = 0;
    this.#endsStyled = false;
    this.#waiting = this.#styles.codes;
    this.#spaces = 0;
  }
}

/** The styles in force at a place of a styled text, so that a new line can begin with them. */
class ActiveStyles {
  readonly #byGroup = new Map<string, string>();
  #link = "";

  get isEmpty(): boolean {
    return this.#byGroup.size === 0 && this.#link === "";
  }

  /** What to write at the end of a line, so that none of them goes on behind it. */
  get end(): string {
    return this.#link === "" ? "\x1b[0m" : "\x1b[0m\x1b]8;;\x1b\\";
  }

  /** The styles without the link. */
  get colors(): string {
    return [...this.#byGroup.values()].join("");
  }

  /** What to write so that they are in force; empty when there are none. */
  get codes(): string {
    return `${this.#link}${this.colors}`;
  }

  /** Takes up a sequence such as `\x1b[1m`, or the start or end of a hyperlink. */
  follow(code: string): void {
    if (code.startsWith("\x1b]8;")) {
      this.#link = code === "\x1b]8;;\x1b\\" ? "" : code;
      return;
    }
    const value = code.slice(2, -1);
    const group = groupOf(Number.parseInt(value, 10) || 0);
    if (group === "all") this.#byGroup.clear();
    else if (endings.has(value)) this.#byGroup.delete(group);
    else this.#byGroup.set(group, code);
  }
}

const endings = new Set(["22", "23", "24", "27", "29", "39", "49"]);

/** Styles of which one takes the place of another. */
function groupOf(value: number): string {
  if (value === 0) return "all";
  if (value === 1 || value === 2 || value === 22) return "weight";
  if (value < 30) return `mark ${value % 20}`;
  return (value >= 40 && value < 50) || value >= 100 ? "background" : "color";
}
