/**
 * Joins words into one line that a POSIX shell splits into the same words again.
 *
 * The spelling is part of what clients see (`cmd` of command summaries), so it is fixed: a word stays
 * bare when it can, else it is put in single quotes, else in double quotes, else it is cut into pieces
 * that are quoted differently. A NUL byte cannot stand in a command line; the answer then says so.
 */
export function joinWords(words: readonly string[]): string {
  if (words.some((word) => word.includes("\0"))) return "<command included NUL byte>";
  return words.map(quoteWord).join(" ");
}

/** Quotes one word for a POSIX shell; the word must hold no NUL byte. */
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
// Backslashes are left to double quotes because fish reads them inside single quotes, and `^` is safe
// only directly after an opening quote because interactive bash would expand it elsewhere.
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
