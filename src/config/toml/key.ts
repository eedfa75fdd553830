import { CodexError } from "../../protocol/error.js";

/** A key where it was read, and the place behind it. */
export interface ReadKey {
  path: string[];
  end: number;
}

/** Reads a key at a place of valid TOML: names with dots between them, quoted or not. */
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

/** Reads a path as people type it: dots part it, quotes keep them. */
export function parseKeyPath(text: string): string[] {
  const trimmed = text.trim();
  if (!/["']/.test(trimmed)) {
    const path = trimmed.split(".").map((name) => name.trim());
    if (path.every((name) => name !== "")) return path;
  } else {
    const { path, end } = readKey(trimmed, 0);
    if (end === trimmed.length && path.every((name) => name !== "")) return path;
  }
  throw new CodexError("config", `\`${text}\` is no path of a setting, such as \`tui.theme\``);
}

/** Writes a path so that it is read as the same path. */
export function writeKey(path: readonly string[]): string {
  return path.map((name) => (bareName.test(name) ? name : quoteText(name))).join(".");
}

/** Writes a text in quotes. */
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

/** The place behind a text in single or double quotes on one line. */
export function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** The first place that is no blank or tab. */
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
