import { readString } from "./string-literal.js";
import { type Place, rulesError } from "./values.js";

/** A token of a rules file. */
export interface Token {
  type: "name" | "string" | "number" | "sign" | "newline" | "end";
  /** The name, operator or digits, or the value of the string. */
  text: string;
  at: Place;
}

/** Tokenizes a rules file. Newlines count only outside brackets; comments are dropped. */
export function readTokens(file: string, source: string): Token[] {
  const text = source.replaceAll("\r\n", "\n");
  const tokens: Token[] = [];
  let depth = 0;
  let line = 1;
  let lineStart = 0;
  let offset = 0;
  const here = (): Place => ({ file, line, column: offset - lineStart + 1 });

  const push = (type: Token["type"], value: string, length: number): void => {
    tokens.push({ type, text: value, at: here() });
    advance(length);
  };
  const advance = (length: number): void => {
    for (const end = offset + length; offset < end; offset += 1) {
      if (text[offset] !== "\n") continue;
      line += 1;
      lineStart = offset + 1;
    }
  };

  while (offset < text.length) {
    const rest = text.slice(offset, offset + 200);
    const blank = rest.match(/^(?:[ \t]+|\\\n)/)?.[0];
    const word = rest.match(/^(?:[A-Za-z_]\w*|\d+)/)?.[0];
    const string = readString(text, offset, here());
    if (blank !== undefined) advance(blank.length);
    else if (rest.startsWith("#")) advance(lineLength(text, offset));
    else if (string !== undefined) push("string", string.value, string.length);
    else if (word !== undefined) push(/^\d/.test(word) ? "number" : "name", word, word.length);
    else if (rest.startsWith("\n")) {
      if (depth > 0) advance(1);
      else push("newline", "\n", 1);
    } else if (/^[()[\],=+;{}:.]/.test(rest)) {
      if (/^[([{]/.test(rest)) depth += 1;
      else if (/^[)\]}]/.test(rest)) depth -= 1;
      push("sign", rest[0] ?? "", 1);
    } else {
      throw rulesError(here(), `unexpected character ${JSON.stringify(rest[0])}`);
    }
  }
  tokens.push({ type: "newline", text: "\n", at: here() });
  tokens.push({ type: "end", text: "", at: here() });
  return tokens;
}

function lineLength(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return (end === -1 ? text.length : end) - offset;
}
