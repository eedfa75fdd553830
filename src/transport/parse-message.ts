import { errorText } from "../lib/errors.js";
import { Malformed } from "./channel.js";

/** The longest message that is read; a longer one is refused. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Reads one message; a byte order mark before it is ignored. Text that is not JSON or nested too deeply becomes a `Malformed`. */
export function parseMessage(marked: string): unknown {
  const text = marked.charCodeAt(0) === byteOrderMark ? marked.slice(1) : marked;
  // A large text costs seconds and gigabytes to parse if it is made for that, so it is looked at first.
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

/** How deeply a message may be nested; more is a mistake or an attack on recursive code. */
const maxDepth = 128;

/** Texts of more characters are looked at before they are parsed. */
const largeText = 64 * 1024;

/** How many lists and objects a message may have; each costs many times its text in memory. */
const maxContainers = 1_000_000;

/** Why a text is not worth parsing. Counts as far as it must, in one pass, whatever the text is. */
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

/** Counts brackets outside strings; only called on text that is known to be JSON. */
function isDeeperThan(json: string, limit: number): boolean {
  // A short text cannot be deep: each level costs two characters.
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

/** The id of a broken submission, so that its sender can tell which one failed. */
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
