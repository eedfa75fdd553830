/** Position in a YAML text while it is parsed. */
export class Cursor {
  readonly text: string;
  at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Current character; empty at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Number of characters before this one in its line. */
  get column(): number {
    return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
  }

  /** Offset of the end of the line. */
  get lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }

  /** Rest of the line. */
  get line(): string {
    return this.text.slice(this.at, this.lineEnd);
  }

  /** Consumes a match of a sticky pattern. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  skipBlanks(): void {
    this.take(/[ \t]*/y);
  }

  /** Consumes the end of a line and its comment; fails if anything else follows. */
  endLine(): void {
    if (this.take(/[ \t]*(?:(?<=[ \t]|^)#[^\n]*)?(?:\n|$)/my) === undefined) {
      this.fail(`unexpected "${excerpt(this.line)}" after the value`);
    }
  }

  /**
   * Moves to the first character of the next line with content; returns its column, or -1 at the
   * end.
   */
  nextContent(): number {
    this.take(/(?:[ \t]*(?:#[^\n]*)?\n)*/y);
    this.take(/ */y);
    if (this.char === "\t" && this.line.trim() !== "") this.fail("use spaces to indent, not tabs");
    this.take(/[ \t]*(?:#[^\n]*)?$/y);
    return this.atEnd ? -1 : this.column;
  }

  /** Limits the nesting depth, so that no text exhausts the stack. */
  nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth) this.fail(`values are nested more than ${maxDepth} levels deep`);
    const value = read();
    this.#depth--;
    return value;
  }

  fail(message: string): never {
    const line = this.text.slice(0, this.at).split("\n").length;
    throw new YamlError(`line ${line}: ${message}`);
  }
}

const maxDepth = 50;

/** Returns the start of a text, for an error message. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** A parsed YAML value; numbers and booleans stay text. */
export type YamlValue = string | null | YamlValue[] | YamlMapping;

/** Retains the order of keys; a map, so that no key has a special meaning in JavaScript. */
export type YamlMapping = Map<string, YamlValue>;

/** Thrown for invalid YAML; the message has the line and the remedy. */
export class YamlError extends Error {
  override readonly name = "YamlError";
}
