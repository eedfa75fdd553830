import { isUnbroken, unbrokenUrl } from "./hyperlink.js";
import { graphemes, isSingle, widthOf } from "./width.js";

/**
 * Wraps styled text to `width` columns, between words if possible.
 *
 * Styles continue across lines. Takes linear time, however long lines and words are.
 */
export function wrap(text: string, width: number): string[] {
  return wrapped(text, width, false);
}

/** Like {@link wrap}, but a URL that is too long gets its own, unbroken line. */
export function wrapProse(text: string, width: number): string[] {
  return wrapped(text, width, true);
}

function wrapped(text: string, width: number, hasUrls: boolean): string[] {
  if (!text.includes("\n") && widthOf(text) <= width) return [text];
  const lines = new Lines(Math.max(1, width), hasUrls);
  for (const [token] of text.matchAll(tokens)) lines.add(token);
  return lines.end();
}

/** Styles, hyperlinks, line breaks, spaces, words. */
const tokens = /\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\|\n| +|[^\x1b\n ]+|\x1b/g;
/** A URL, possibly in brackets or quotes, with punctuation after it. */
const urlWord = /^[("'<[]?(https?:\/\/.+?)([)"'>\]]?[.,;:!?]*)$/i;

/** Builds wrapped lines. */
class Lines {
  readonly #width: number;
  readonly #hasUrls: boolean;
  readonly #styles = new ActiveStyles();
  readonly #full: string[] = [];
  #line = "";
  #filled = 0;
  #endsStyled = false;
  /** Spaces and styles that are only written if a word follows on the same line. */
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
    // After a URL only the end of its styles may be left.
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

  /** Cuts a word that is longer than a line. */
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

  /** Starts a new line, unless the current one is blank. */
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

/** Tracks the active styles, to restore them on the next line. */
class ActiveStyles {
  readonly #byGroup = new Map<string, string>();
  #link = "";

  get isEmpty(): boolean {
    return this.#byGroup.size === 0 && this.#link === "";
  }

  /** Sequence that resets them at the end of a line. */
  get end(): string {
    return this.#link === "" ? "\x1b[0m" : "\x1b[0m\x1b]8;;\x1b\\";
  }

  /** The styles without the hyperlink. */
  get colors(): string {
    return [...this.#byGroup.values()].join("");
  }

  /** Sequence that restores them; empty if there are none. */
  get codes(): string {
    return `${this.#link}${this.colors}`;
  }

  /** Applies a sequence such as `\x1b[1m`, or the start or end of a hyperlink. */
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

/** Groups styles that replace each other. */
function groupOf(value: number): string {
  if (value === 0) return "all";
  if (value === 1 || value === 2 || value === 22) return "weight";
  if (value < 30) return `mark ${value % 20}`;
  return (value >= 40 && value < 50) || value >= 100 ? "background" : "color";
}
