/** Allowed differences between the source of a word and the argument that the shell makes of it. */
export interface PlainWordRules {
  /**
   * `literal`: only words that every shell passes on exactly as written, so the result proves what
   * runs. `source`: unquoted globs, tildes and backslashes stay as written, which is sufficient
   * only for display.
   */
  unquoted: "literal" | "source";
  /** Accepts words that consist of several quoted and unquoted pieces. */
  pieces: "one" | "many";
}

/**
 * Parses the source of one word; returns `undefined` if the word is not plain.
 *
 * This looks only at the characters and does not rely on the parser that found the word, so that
 * each catches the other's mistakes.
 */
export function readPlainWord(source: string, rules: PlainWordRules): string | undefined {
  let value = "";
  let pieces = 0;
  for (let rest = source; rest !== ""; pieces += 1) {
    const piece = readPiece(rest, rules);
    if (piece === undefined) return undefined;
    value += piece.value;
    rest = rest.slice(piece.length);
  }
  if (rules.pieces === "one" && (pieces !== 1 || source === '""')) return undefined;
  if (pieces > 1 && value === "") return undefined;
  return value;
}

/** Returns true if a word is one unquoted piece, as a command name must be. */
export function isUnquoted(source: string): boolean {
  return source !== "" && !/['"]/.test(source.replaceAll(/\\./gs, ""));
}

interface Piece {
  value: string;
  length: number;
}

function readPiece(text: string, rules: PlainWordRules): Piece | undefined {
  if (text.startsWith("'")) return readSingleQuoted(text);
  if (text.startsWith('"')) return readDoubleQuoted(text, rules);
  return rules.unquoted === "literal" ? readLiteral(text) : readSource(text, rules);
}

function readSingleQuoted(text: string): Piece | undefined {
  const end = text.indexOf("'", 1);
  return end === -1 ? undefined : { value: text.slice(1, end), length: end + 1 };
}

function readDoubleQuoted(text: string, rules: PlainWordRules): Piece | undefined {
  const match = text.match(/^"((?:[^"\\$`]|\\.)*)"/s);
  if (match?.[1] === undefined) return undefined;
  const value = match[1];
  // Inside double quotes a backslash is removed only before these characters.
  if (rules.unquoted === "literal" && /\\[$`"\\\n]/.test(value)) return undefined;
  if (rules.pieces === "one" && value.includes("\n")) return undefined;
  return { value, length: match[0].length };
}

// Blanks, operators and quotes end or change a word in every shell. The others start an expansion
// in bash or zsh, or (unusual blanks) separate words in some locales.
const notLiteral = /[\s\p{Cc}\p{Zs}|&;<>()'"{}*?[\]\\~^#$`]/u;

function readLiteral(text: string): Piece | undefined {
  const end = text.search(notLiteral);
  const value = end === -1 ? text : text.slice(0, end);
  if (value === "" || value.startsWith("=")) return undefined;
  return { value, length: value.length };
}

function readSource(text: string, rules: PlainWordRules): Piece | undefined {
  const match = text.match(/^(?:[^\s|&;<>()'"\\$`]|\\[^\n])+/);
  if (match === null || /^\{\d+\.\.\d+\}/.test(text)) return undefined;
  if (rules.pieces === "one" && /[{}[\]]/.test(match[0])) return undefined;
  return { value: match[0], length: match[0].length };
}
