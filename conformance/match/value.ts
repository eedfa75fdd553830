import { isObject, type Json } from "../trace/trace.js";
import { fillPlaces } from "./places.js";
import { type MatchContext, matchText } from "./text.js";

/** One path at which a value differs from the expected one. */
export interface Difference {
  path: string;
  expected: Json | undefined;
  got: Json | undefined;
}

/** Tolerance for the numbers of one line. */
export interface ValueOptions {
  /** Token counts are guesses of the reference: any number will do. */
  estimates?: boolean;
}

/**
 * Compares a value with the one that a trace expects, and binds the placeholders.
 *
 * The order of an object's keys does not matter; `null` and absent differ.
 */
export function matchValue(
  expected: Json,
  actual: Json,
  context: MatchContext,
  options: ValueOptions = {},
): Difference[] {
  const found: Difference[] = [];
  compare(expected, actual, { path: [], context, options, found });
  return found;
}

interface Walk {
  path: (string | number)[];
  context: MatchContext;
  options: ValueOptions;
  found: Difference[];
}

function compare(expected: Json, actual: Json, walk: Walk): void {
  if (expected === "<any>") return;
  if (Array.isArray(expected) && Array.isArray(actual)) compareLists(expected, actual, walk);
  else if (isObject(expected) && isObject(actual)) compareObjects(expected, actual, walk);
  else if (!sameScalar(expected, actual, walk)) compareTexts(expected, actual, walk);
}

/** Compares the outputs of tools that are JSON objects as JSON: they contain times. */
function compareTexts(expected: Json, actual: Json, walk: Walk): void {
  const isOutput = walk.path.at(-1) === "output";
  const [left, right] = [expected, actual].map((text) => (isOutput ? objectIn(text) : undefined));
  if (left === undefined || right === undefined) differ(walk, expected, actual);
  else compareObjects(left, right, walk);
}

function objectIn(text: Json): { [key: string]: Json } | undefined {
  if (typeof text !== "string" || !text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function compareLists(expected: Json[], actual: Json[], walk: Walk): void {
  const [left, right] = isUnordered(walk)
    ? [sorted(expected, walk), sorted(actual, walk)]
    : [expected, actual];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    compareAt(left[index], right[index], index, walk);
  }
}

function compareObjects(
  expected: { [key: string]: Json },
  actual: { [key: string]: Json },
  walk: Walk,
): void {
  const unseen = new Set(Object.keys(actual));
  for (const [template, value] of Object.entries(expected)) {
    const key = keyFor(template, unseen, walk.context);
    if (key !== undefined) unseen.delete(key);
    compareAt(value, key === undefined ? undefined : actual[key], key ?? template, walk);
  }
  for (const key of unseen) compareAt(undefined, actual[key], key, walk);
}

/** Keys may be paths or ids, so they are templates as well. */
function keyFor(template: string, keys: Set<string>, context: MatchContext): string | undefined {
  if (keys.has(template)) return template;
  if (!template.includes("<")) return undefined;
  const filled = fillPlaces(template, context.places);
  if (keys.has(filled)) return filled;
  return [...keys].find((key) => matchText(template, key, context));
}

function compareAt(
  expected: Json | undefined,
  actual: Json | undefined,
  key: string | number,
  walk: Walk,
): void {
  const inner = { ...walk, path: [...walk.path, key] };
  if (expected === undefined || actual === undefined) differ(inner, expected, actual);
  else compare(expected, actual, inner);
}

function differ(walk: Walk, expected: Json | undefined, got: Json | undefined): void {
  const path = walk.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("");
  walk.found.push({ path: path.replace(/^\./, ""), expected, got });
}

const TIMES = /^(secs|nanos|ts|duration|duration_?seconds|\w*(At|AtMs|_at|_ms|durationMs))$/i;
const COMMITS = /^(sha|latest_git_commit_hash)$/;
const LOG_IDS = /^(history_?log_?id|log_?id)$/i;

function sameScalar(expected: Json, actual: Json, { path, context, options }: Walk): boolean {
  const key = String(path.at(-1) ?? "");
  if (typeof expected === "string" && typeof actual === "string") {
    if (COMMITS.test(key) && isCommit(expected)) return isCommit(actual);
    // The recorder put its placeholders inside base64 as well.
    if (key === "chunk") return matchText(fromBase64(expected), fromBase64(actual), context);
    return matchText(expected, actual, context, key);
  }
  if (typeof expected === "number" && typeof actual === "number") {
    if (expected === 0 && (TIMES.test(key) || key === "residentMemoryBytes")) return true;
    if (expected === 1 && key === "id" && path.at(-2) === "process") return true;
    if (expected === 1 && LOG_IDS.test(key)) return context.bindings.bind("LOG-1", String(actual));
    if (options.estimates && isTokenCount(path)) return true;
  }
  if (key === "requestId") return context.bindings.bind(requestName(expected), requestName(actual));
  return expected === actual;
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}

/** The name under which a server request of the trace is bound to the one of this run. */
export function requestName(id: Json): string {
  return `REQUEST ${JSON.stringify(id)}`;
}

function isTokenCount(path: (string | number)[]): boolean {
  return path.some((part) =>
    /^(total_token_usage|last_token_usage|tokenUsage|usage)$/.test(String(part)),
  );
}

/** `changes` and `tools` come out of hash maps. */
function isUnordered(walk: Walk): boolean {
  const key = walk.path.at(-1);
  return key === "tools" || key === "changes";
}

function sorted(list: Json[], { context }: Walk): Json[] {
  const name = (item: Json) =>
    isObject(item) ? fillPlaces(String(item.name ?? item.path ?? item.type), context.places) : "";
  return [...list].sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0));
}
