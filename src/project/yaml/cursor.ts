/** A place in a YAML text that moves on as the text is read. */
export class Cursor {
  readonly text: string;
  at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character here; empty at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** How many characters stand before this one in its line. */
  get column(): number {
    return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
  }

  /** Where the line ends: at its line feed, or at the end of the text. */
  get lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }

  /** What is left of the line. */
  get line(): string {
    return this.text.slice(this.at, this.lineEnd);
  }

  /** Takes what matches here; the pattern is sticky. */
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

  /** Passes over the end of a line, which may hold a comment, and fails when something else is there. */
  endLine(): void {
    if (this.take(/[ \t]*(?:(?<=[ \t]|^)#[^\n]*)?(?:\n|$)/my) === undefined) {
      this.fail(`nothing may follow the value on its line, but "${excerpt(this.line)}" does`);
    }
  }

  /** Goes to the next line that says something, and to its first character; -1 when there is none. */
  nextContent(): number {
    this.take(/(?:[ \t]*(?:#[^\n]*)?\n)*/y);
    this.take(/ */y);
    if (this.char === "\t" && this.line.trim() !== "") this.fail("use spaces to indent, not tabs");
    this.take(/[ \t]*(?:#[^\n]*)?$/y);
    return this.atEnd ? -1 : this.column;
  }

  /** Bounds how deep values may lie in each other, so that no text exhausts the stack. */
  nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth)
      this.fail(`values may lie at most ${maxDepth} deep in each other`);
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

/** The beginning of a text, for a message. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** What YAML text says; words that stand for numbers or truth are kept as they were written. */
export type YamlValue = string | null | YamlValue[] | YamlMapping;

/** Keys are in the order of the text, and never mean anything to JavaScript. */
export type YamlMapping = Map<string, YamlValue>;

/** Text that cannot be read as YAML; the message says where and what to do. */
export class YamlError extends Error {
  override readonly name = "YamlError";
}
