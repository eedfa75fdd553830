import { type Place, rulesError } from "./values.js";

/** A string of a rules file: its value and its length in the source. */
export interface StringLiteral {
  value: string;
  length: number;
}

/** Parses the string at `offset`: '…', "…", '''…''', r"…". Returns `undefined` if there is none. */
export function readString(text: string, offset: number, at: Place): StringLiteral | undefined {
  const opening = text.slice(offset, offset + 5).match(/^([A-Za-z]?)("""|'''|"|')/);
  if (opening === null) return undefined;
  const [start, prefix = "", quote = ""] = opening;
  if (!/^[rR]?$/.test(prefix)) {
    throw rulesError(at, `strings with the prefix ${prefix} are not supported; write it out`);
  }
  const raw = prefix !== "";
  let value = "";
  let index = offset + start.length;
  for (;;) {
    if (text.startsWith(quote, index)) {
      return { value, length: index + quote.length - offset };
    }
    const char = text[index];
    if (char === undefined || (char === "\n" && quote.length === 1)) {
      throw rulesError(at, `the string is not closed; end it with ${quote}`);
    }
    if (char !== "\\") {
      value += char;
      index += 1;
      continue;
    }
    const escaped = raw ? rawEscape(text, index) : readEscape(text, index, at);
    value += escaped.value;
    index += escaped.length;
  }
}

/** In a raw string a backslash is kept, but still escapes a quote. */
function rawEscape(text: string, index: number): StringLiteral {
  return { value: text.slice(index, index + 2), length: 2 };
}

const simple: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

function readEscape(text: string, index: number, at: Place): StringLiteral {
  const rest = text.slice(index + 1, index + 10);
  const char = rest[0] ?? "";
  const plain = simple[char];
  if (plain !== undefined) return { value: plain, length: 2 };
  const octal = rest.match(/^[0-7]{1,3}/)?.[0];
  if (octal !== undefined) {
    return { value: String.fromCodePoint(Number.parseInt(octal, 8)), length: 1 + octal.length };
  }
  const hex = rest.match(/^(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/)?.[0];
  const code = hex === undefined ? Number.NaN : Number.parseInt(hex.slice(1), 16);
  if (hex === undefined || !(code <= 0x10ffff)) {
    throw rulesError(at, `unknown escape \\${char} in a string; write \\\\ for a backslash`);
  }
  return { value: String.fromCodePoint(code), length: 1 + hex.length };
}
