/** A parsed JSON text with the lines of its values. */
export interface LocatedJson {
  value: unknown;
  /** Returns the line of a path, or of the longest prefix of it that exists. */
  lineOf(path: readonly string[]): number;
}

/** Thrown for invalid JSON. */
export class JsonSyntaxError extends Error {
  readonly line: number;

  constructor(text: string, offset: number, reason: string) {
    const column = offset - text.lastIndexOf("\n", offset - 1);
    super(`${reason} (column ${column})`);
    this.line = lineAt(text, offset);
  }
}

/**
 * Parses JSON for messages about its content. Throws a `JsonSyntaxError`.
 *
 * A key that occurs twice is an error: `JSON.parse` would drop the first value without a word.
 */
export function parseLocatedJson(text: string): LocatedJson {
  const value = parse(text);
  const offsets = new Map<string, number>();
  scanValue(text, skipBlank(text, 0), [], offsets);
  return {
    value,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const offset = offsets.get(JSON.stringify(path.slice(0, length)));
        if (offset !== undefined) return lineAt(text, offset);
      }
      return 1;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /position (\d+)/.exec(message)?.[1];
    const offset = position === undefined ? offsetOf(message, text) : Number(position);
    const reason = message.replace(
      /(?: in JSON)? at position.*| in JSON$|, (?:\.\.\.)?".*" is not valid JSON$/s,
      "",
    );
    throw new JsonSyntaxError(text, offset, reason);
  }
}

/** Returns the offset of an unexpected character, which the message has without its position. */
function offsetOf(message: string, text: string): number {
  const [token] = /^Unexpected token '.*?',/su.exec(message) ?? [];
  if (token === undefined) return text.trimEnd().length;
  // A text that ends before the character has another error.
  let [without, including] = [0, text.length];
  while (including - without > 1) {
    const middle = Math.floor((without + including) / 2);
    if (failsWith(token, text.slice(0, middle))) including = middle;
    else without = middle;
  }
  return without;
}

function failsWith(start: string, text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.startsWith(start);
  }
}

/** Records the offset of each value of valid JSON; returns the offset after the value. */
function scanValue(
  text: string,
  start: number,
  path: readonly string[],
  offsets: Map<string, number>,
): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== "{" && first !== "[") return endOfWord(text, start);
  const isList = first === "[";
  let at = skipBlank(text, start + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index++) {
    const keyEnd = isList ? at : endOfString(text, at);
    const key = isList ? String(index) : (JSON.parse(text.slice(at, keyEnd)) as string);
    const inner = [...path, key];
    const name = JSON.stringify(inner);
    if (offsets.has(name))
      throw new JsonSyntaxError(text, at, `the key ${JSON.stringify(key)} occurs twice`);
    offsets.set(name, at);
    const valueStart = isList ? at : skipBlank(text, skipBlank(text, keyEnd) + 1);
    at = skipBlank(text, scanValue(text, valueStart, inner, offsets));
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return at + 1;
}

/** Returns the offset after a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  const word = /[^\s,\]}]*/y;
  word.lastIndex = start;
  word.test(text);
  return word.lastIndex;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipBlank(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
