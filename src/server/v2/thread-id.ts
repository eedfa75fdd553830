import { CodexError } from "../../protocol/error.js";

/** Throws when an id that a client gave cannot name a thread, with the words that clients know. */
export function assertThreadId(id: string): void {
  const problem = problemOf(id);
  if (problem === undefined) return;
  throw new CodexError("invalid_request", `invalid thread id: ${problem}`);
}

function problemOf(id: string): string | undefined {
  const text = id.replace(/^urn:uuid:/i, "").replace(/^\{(.*)\}$/, "$1");
  if (/^[0-9a-f]{32}$/i.test(text) || uuid.test(text)) return undefined;
  const wrong = text.search(/[^0-9a-f-]/i);
  if (wrong >= 0) {
    const character = String.fromCodePoint(text.codePointAt(wrong) ?? 0);
    return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${character}\` at ${wrong + 1}`;
  }
  const groups = text.split("-");
  if (groups.length === 1) {
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  }
  if (groups.length !== 5) return `invalid group count: expected 5, found ${groups.length}`;
  const index = groups.findIndex((group, at) => group.length !== groupLengths[at]);
  return `invalid group length in group ${index}: expected ${groupLengths[index]}, found ${groups[index]?.length}`;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const groupLengths = [8, 4, 4, 4, 12];
