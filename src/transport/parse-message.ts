import { errorText } from "../lib/errors.js";
import { Malformed } from "./channel.js";

/** Longest accepted message. */
export const maxMessageBytes = 64 * 1024 * 1024;

/**
 * Parses one message, ignoring a byte order mark. Text that is not JSON, or nested too deeply,
 * becomes a `Malformed`.
 */
export function parseMessage(marked: string): unknown {
  const text = marked.charCodeAt(0) === byteOrderMark ? marked.slice(1) : marked;
  // Crafted large texts take seconds and gigabytes to parse, so they are scanned first.
  if (text.length > largeText) {
    const problem = problemOf(text);
    if (problem !== undefined) return new Malformed(problem, idIn(text));
  }
  try {
    const value: unknown = JSON.parse(text);
    if (text.length <= largeText && isDeeperThan(text, maxDepth))
      return new Malformed(tooDeep, idOf(value));
    return value;
  } catch (error) {
    const reason = errorText(error);
    return new Malformed(`The message is not JSON: ${reason}`, idIn(text));
  }
}

/** Nesting limit of a message; deeper ones are mistakes or attacks on recursive code. */
const maxDepth = 128;

/** Texts with more characters are scanned before they are parsed. */
const largeText = 64 * 1024;

/** Limit of arrays and objects in a message; each takes many times its text in memory. */
const maxContainers = 1_000_000;

/** Returns the reason not to parse a text. Scans it once, only as far as needed. */
function problemOf(json: string): string | undefined {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === quote) at = endOfString(json, at);
    else if (char === openBrace || char === openBracket) {
      if (++depth > maxDepth) return tooDeep;
      if (++containers > maxContainers) return tooMany;
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
  return undefined;
}

/** Counts brackets outside strings; the text must be valid JSON. */
function isDeeperThan(json: string, limit: number): boolean {
  // A short text cannot be deep: each level takes two characters.
  if (json.length < limit * 2) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === quote) at = endOfString(json, at);
    else if (char === openBrace || char === openBracket) {
      if (++depth > limit) return true;
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "string" ? value.id : undefined;
}

/** Returns the id of a malformed submission, so that its sender knows which one failed. */
function idIn(text: string): string | undefined {
  return /^\s*\{\s*"id"\s*:\s*"([^"\\]{1,256})"/.exec(text.slice(0, 512))?.[1];
}

const tooDeep = `The message is nested more than ${maxDepth} levels deep`;
const tooMany = `The message has more than ${maxContainers} lists and objects`;
const byteOrderMark = 0xfeff;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
