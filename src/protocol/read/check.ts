import { CodexError } from "../error.js";

/** A JSON object of which nothing is known yet. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a JSON object: neither `null` nor a list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON text; nothing when it is not JSON or not an object. */
export function parseRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A copy without fields that are `null`, which mean the same as absent ones. */
export function withoutNulls(record: JsonRecord): JsonRecord {
  return changeFields(record, (_, value) => (value === null ? undefined : value));
}

/**
 * A copy with each field changed; what becomes `undefined` is left out.
 *
 * A field named `__proto__`, which JSON may hold, is left out too: copied carelessly further on it
 * would change the object instead of its fields.
 */
export function changeFields(
  record: JsonRecord,
  change: (name: string, value: unknown) => unknown,
): JsonRecord {
  const copy: JsonRecord = {};
  for (const name of Object.keys(record)) {
    if (name === "__proto__") continue;
    const value = change(name, record[name]);
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}

/**
 * A copy in which some fields have the name they go by here, and none is `null`.
 *
 * The proper name wins if both are there.
 */
export function properFields(record: JsonRecord, names: Record<string, string>): JsonRecord {
  return renameFields(record, names, true);
}

/** A copy in which some fields have the name they go by here; `null`s stay. */
export function renameFields(
  record: JsonRecord,
  names: Record<string, string>,
  dropNulls = false,
): JsonRecord {
  const copy: JsonRecord = {};
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (name === "__proto__" || (dropNulls && value === null)) continue;
    const proper = Object.hasOwn(names, name) ? names[name] : undefined;
    if (proper === undefined) copy[name] = value;
    else if (!Object.hasOwn(record, proper)) copy[proper] = value;
  }
  return copy;
}

/** How deep lists and objects may be nested in what comes in. */
export const MAX_DEPTH = 128;

/** Refuses a value that is nested so deep that working on it could exhaust the stack. */
export function assertDepth(value: unknown, limit = MAX_DEPTH): void {
  if (!isDeeper(value, limit)) return;
  throw new CodexError(
    "invalid_request",
    `The message is nested more than ${limit} levels deep; send a flatter one.`,
    { data: { limit } },
  );
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const entry of value) if (isDeeper(entry, left - 1)) return true;
    return false;
  }
  for (const entry of Object.values(value)) if (isDeeper(entry, left - 1)) return true;
  return false;
}

/**
 * Finds a word that may be spelled in kebab, camel, snake or any other case.
 *
 * The table has the words in lower case without separators. What is not in it comes back as it
 * was, so that the check names it as the client wrote it.
 */
export function spelled<T>(table: Record<string, T>, value: unknown): T | unknown {
  if (typeof value !== "string" || value.length > 64) return value;
  const key = value.replaceAll(/[-_ ]/g, "").toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : value;
}
