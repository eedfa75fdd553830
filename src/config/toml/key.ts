import { CodexError } from "../../protocol/error.js";

/** A parsed key, and the offset after it. */
export interface ReadKey {
  path: string[];
  end: number;
}

/** Parses a dotted key at an offset of valid TOML. */
export function readKey(text: string, start: number): ReadKey {
  const path: string[] = [];
  let at = start;
  for (;;) {
    at = skipBlanks(text, at);
    const { name, end } = readName(text, at);
    path.push(name);
    at = skipBlanks(text, end);
    if (text[at] !== ".") return { path, end };
    at++;
  }
}

/** Parses a path as typed: dots separate names, except in quotes. */
export function parseKeyPath(text: string): string[] {
  const trimmed = text.trim();
  if (!/["']/.test(trimmed)) {
    const path = trimmed.split(".").map((name) => name.trim());
    if (path.every((name) => name !== "")) return path;
  } else {
    const { path, end } = readKey(trimmed, 0);
    if (end === trimmed.length && path.every((name) => name !== "")) return path;
  }
  throw new CodexError("config", `Expected a key such as \`tui.theme\` (got \`${text}\`)`);
}

/** Formats a path, with quotes where needed. */
export function writeKey(path: readonly string[]): string {
  return path.map((name) => (bareName.test(name) ? name : quoteText(name))).join(".");
}

/** Formats a TOML string. */
export function quoteText(text: string): string {
  if (/\p{Cs}/u.test(text)) {
    throw new CodexError("config", `${JSON.stringify(text)} cannot be written: it is not Unicode`);
  }
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

const bareName = /^[A-Za-z0-9_-]+$/;

function readName(text: string, start: number): { name: string; end: number } {
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const end = endOfQuoted(text, start);
    const inner = text.slice(start + 1, end - 1);
    return { name: quote === '"' ? unescapeText(inner) : inner, end };
  }
  let end = start;
  while (end < text.length && /[^\s.=\]"']/.test(text.charAt(end))) end++;
  return { name: text.slice(start, end), end };
}

/** Returns the offset after a quoted string on one line. */
export function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** Returns the offset of the next character that is not a space or tab. */
export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

const escapes: Record<string, string> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};

function unescapeText(inner: string): string {
  return inner.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))/gs,
    (whole, short?: string, long?: string, byte?: string, letter?: string) => {
      const hex = short ?? long ?? byte;
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return escapes[letter ?? ""] ?? whole;
    },
  );
}
