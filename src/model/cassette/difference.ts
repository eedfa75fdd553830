import { isRecord } from "../../protocol/read/check.js";
import type { CassetteEntry } from "./format.js";
import type { NormalRequest } from "./normalize.js";

/** Returns the entry whose request is equal for the longest, and the first difference from it. */
export function describeNearest(
  request: NormalRequest,
  entries: readonly CassetteEntry[],
): string | undefined {
  const sent = JSON.stringify([request.api, request.body]);
  let nearest: { entry: CassetteEntry; length: number } | undefined;
  for (const entry of entries) {
    const length = equalLength(sent, JSON.stringify([entry.request.api, entry.request.body]));
    if (nearest === undefined || length > nearest.length) nearest = { entry, length };
  }
  if (nearest === undefined) return undefined;
  const { n, request: recorded } = nearest.entry;
  const found =
    firstDifference("path", recorded.api, request.api) ??
    firstDifference("", recorded.body, request.body);
  if (found === undefined)
    return `It is equal to the recorded request ${n + 1}, which was already played.`;
  return [
    `The nearest recorded request is number ${n + 1}. First difference, at ${found.path}:`,
    `  recorded: ${found.recorded}`,
    `  sent:     ${found.sent}`,
  ].join("\n");
}

interface Difference {
  path: string;
  recorded: string;
  sent: string;
}

function firstDifference(path: string, recorded: unknown, sent: unknown): Difference | undefined {
  if (Array.isArray(recorded) && Array.isArray(sent)) {
    for (let index = 0; index < Math.max(recorded.length, sent.length); index++) {
      const found = firstDifference(`${path}[${index}]`, recorded[index], sent[index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(recorded) && isRecord(sent)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(sent)])].sort();
    for (const name of names) {
      const at = path === "" ? name : `${path}.${name}`;
      const found = firstDifference(at, recorded[name], sent[name]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (recorded === sent) return undefined;
  const start = startOfWindow(recorded, sent);
  return { path, recorded: shown(recorded, start), sent: shown(sent, start) };
}

/** Longest excerpt of a value in a message. */
const longest = 160;

/** Returns the offset at which the excerpts of two long texts start, a little before they differ. */
function startOfWindow(recorded: unknown, sent: unknown): number {
  if (typeof recorded !== "string" || typeof sent !== "string") return 0;
  if (Math.max(recorded.length, sent.length) <= longest) return 0;
  return Math.max(0, equalLength(recorded, sent) - 40);
}

function shown(value: unknown, start: number): string {
  if (value === undefined) return "(absent)";
  const json = JSON.stringify(typeof value === "string" ? value.slice(start) : value);
  const text = json.length > longest ? `${json.slice(0, longest)}…` : json;
  return start > 0 ? `…${text}` : text;
}

function equalLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
