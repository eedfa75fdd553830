/**
 * Joins words into one line that a POSIX shell splits into the same words.
 *
 * Clients see the spelling (`cmd` of command summaries), so it is fixed: a word stays bare if
 * possible, else it is put in single quotes, else in double quotes, else it is cut into pieces that
 * are quoted differently. A command line cannot contain NUL; a fixed text is returned then.
 */
export function joinWords(words: readonly string[]): string {
  if (words.some((word) => word.includes("\0"))) return "<command included NUL byte>";
  return words.map(quoteWord).join(" ");
}

/** Quotes one word for a POSIX shell; the word must not contain NUL. */
export function quoteWord(word: string): string {
  if (word === "") return "''";
  let quoted = "";
  let rest = word;
  while (rest !== "") {
    const piece = longestPiece(rest);
    quoted += piece.quoted;
    rest = rest.slice(piece.length);
  }
  return quoted;
}

const bare = /^[A-Za-z0-9+\-./:@\]_]+/;
// Backslashes go in double quotes because fish interprets them inside single quotes, and `^` is
// safe only directly after an opening quote because interactive bash would expand it elsewhere.
const single = /^\^?[^'\\^]*/;
const double = /^[^`$!^]+/;

function longestPiece(text: string): { length: number; quoted: string } {
  const bareLength = text.match(bare)?.[0].length ?? 0;
  const singleLength = text.match(single)?.[0].length ?? 0;
  const doubleLength = text.match(double)?.[0].length ?? 0;
  const length = Math.max(bareLength, singleLength, doubleLength);
  const piece = text.slice(0, length);
  if (bareLength === length) return { length, quoted: piece };
  if (singleLength === length) return { length, quoted: `'${piece}'` };
  return { length, quoted: `"${piece.replaceAll(/["\\]/g, "\\$&")}"` };
}

/**
 * Splits a line into words by POSIX quoting, without any expansion.
 *
 * Operators are ordinary characters here, and `#` starts a comment at the beginning of a word.
 * Returns `undefined` if a quote is not closed or the line ends in a backslash.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(line, at);
    if (at >= line.length) return words;
    const word = readWord(line, at);
    if (word === undefined) return undefined;
    words.push(word.value);
    at = word.end;
  }
}

interface Piece {
  value: string;
  end: number;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    if (line[at] === "#") {
      const end = line.indexOf("\n", at);
      at = end === -1 ? line.length : end;
    } else if (line.startsWith("\\\n", at)) {
      at += 2;
    } else if (isBlank(line[at])) {
      at += 1;
    } else {
      break;
    }
  }
  return at;
}

function readWord(line: string, from: number): Piece | undefined {
  let value = "";
  let at = from;
  while (at < line.length && !isBlank(line[at])) {
    const piece = readPiece(line, at);
    if (piece === undefined) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return { value, end: at };
}

function readPiece(line: string, at: number): Piece | undefined {
  const char = line[at] ?? "";
  if (char === "'") return readSingleQuoted(line, at + 1);
  if (char === '"') return readDoubleQuoted(line, at + 1);
  if (char !== "\\") return { value: char, end: at + 1 };
  const escaped = line[at + 1];
  if (escaped === undefined) return undefined;
  return { value: escaped === "\n" ? "" : escaped, end: at + 2 };
}

function readSingleQuoted(line: string, from: number): Piece | undefined {
  const end = line.indexOf("'", from);
  return end === -1 ? undefined : { value: line.slice(from, end), end: end + 1 };
}

function readDoubleQuoted(line: string, from: number): Piece | undefined {
  let value = "";
  for (let at = from; at < line.length; at += 1) {
    const char = line[at] ?? "";
    if (char === '"') return { value, end: at + 1 };
    if (char !== "\\") {
      value += char;
      continue;
    }
    at += 1;
    const escaped = line[at];
    if (escaped === undefined) return undefined;
    if (escaped === "\n") continue;
    value += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
  }
  return undefined;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n";
}
