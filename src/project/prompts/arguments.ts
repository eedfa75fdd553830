import type { TextElement } from "../../protocol/types.js";

/** A word of a command line, with the elements in it. */
export interface PromptArgument {
  text: string;
  /** Ranges refer to `text`. */
  text_elements: TextElement[];
}

/** Words of a command line, or a problem that is shown after a colon. */
export type PromptArguments =
  | { words: PromptArgument[]; problem?: undefined }
  | { words?: undefined; problem: string };

/**
 * Splits the text after a prompt's name into words, like a shell.
 *
 * `#` is not a comment, because it usually starts an issue number. An element, such as an image
 * placeholder, is never split and its characters have no special meaning. Ranges count UTF-8 bytes,
 * as in the protocol.
 */
export function splitArguments(
  line: string,
  elements: readonly TextElement[] = [],
): PromptArguments {
  const bytes = Buffer.from(line);
  const ordered = [...elements].sort((a, b) => a.byte_range.start - b.byte_range.start);
  const words = new Words();
  let at = 0;
  for (const element of ordered) {
    const { start, end } = element.byte_range;
    if (start < at || end <= start || end > bytes.length) continue; // invalid range
    words.read(bytes.toString("utf8", at, start));
    words.addElement(bytes.toString("utf8", start, end), element);
    at = end;
  }
  words.read(bytes.toString("utf8", at));
  return words.finish();
}

/** Collects words character by character; quotes may span several elements. */
class Words {
  readonly #words: PromptArgument[] = [];
  #word: PromptArgument | undefined;
  #quote = "";
  #escaped = false;

  read(text: string): void {
    for (const sign of text) this.#readSign(sign);
  }

  addElement(text: string, element: TextElement): void {
    const word = this.#open();
    this.#escaped = false;
    const start = Buffer.byteLength(word.text);
    const byte_range = { start, end: start + Buffer.byteLength(text) };
    word.text += text;
    word.text_elements.push({ ...element, byte_range });
  }

  finish(): PromptArguments {
    if (this.#quote !== "") return { problem: `unclosed quote ${this.#quote}` };
    if (this.#escaped) this.#open().text += "\\";
    this.#close();
    return { words: this.#words };
  }

  #readSign(sign: string): void {
    if (this.#escaped) this.#addEscaped(sign);
    else if (sign === "\\" && this.#quote !== "'") this.#escaped = true;
    else if (this.#quote !== "") this.#readQuoted(sign);
    else if (sign === '"' || sign === "'") {
      this.#open();
      this.#quote = sign;
    } else if (/^[ \t\n]$/.test(sign)) this.#close();
    else this.#open().text += sign;
  }

  #readQuoted(sign: string): void {
    if (sign === this.#quote) this.#quote = "";
    else this.#open().text += sign;
  }

  /**
   * In double quotes a backslash is literal, except before the characters that are special there.
   */
  #addEscaped(sign: string): void {
    this.#escaped = false;
    if (sign === "\n") return;
    const kept = this.#quote === '"' && !/^["$`\\]$/.test(sign) ? "\\" : "";
    this.#open().text += kept + sign;
  }

  #open(): PromptArgument {
    this.#word ??= { text: "", text_elements: [] };
    return this.#word;
  }

  #close(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }
}

/** Arguments by name, or a problem that is shown after a colon. */
export type NamedArguments =
  | { values: Map<string, PromptArgument>; problem?: undefined }
  | { values?: undefined; problem: string };

/** Parses words of the form `KEY=value`; the last value of a key counts. */
export function parseNamedArguments(words: readonly PromptArgument[]): NamedArguments {
  const values = new Map<string, PromptArgument>();
  for (const { text, text_elements } of words) {
    const sign = text.indexOf("=");
    if (sign < 0) {
      const advice = "Put values with spaces in double quotes.";
      return { problem: `expected key=value but found '${text}'. ${advice}` };
    }
    if (sign === 0) return { problem: `expected a name before '=' in '${text}'.` };
    const skipped = Buffer.byteLength(text.slice(0, sign + 1));
    const elements = text_elements.flatMap((element) => {
      const start = element.byte_range.start - skipped;
      const end = element.byte_range.end - skipped;
      return start < 0 ? [] : [{ ...element, byte_range: { start, end } }];
    });
    values.set(text.slice(0, sign), { text: text.slice(sign + 1), text_elements: elements });
  }
  return { values };
}
