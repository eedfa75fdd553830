import type { Check } from "../checks/check.js";
import { CodexError } from "../error.js";
import { assertValid } from "./problem.js";

/** A JSON object with unknown fields. */
export type JsonRecord = Record<string, unknown>;

/** Checks that a value is a JSON object: neither `null` nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; `undefined` if the text is not one. */
export function parseRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Copies a record without its `null` fields. */
export function withoutNulls(record: JsonRecord): JsonRecord {
  return changeFields(record, (_, value) => (value === null ? undefined : value));
}

/** Returns the value if it is valid, else a copy without its `null` fields. */
export function fitting(check: Check, value: unknown): unknown {
  return isRecord(value) && !check(value) ? withoutNulls(value) : value;
}

/**
 * Copies a record with each field mapped; fields that become `undefined` are omitted.
 *
 * `__proto__`, which JSON may contain, is omitted too: a later copy would change the prototype.
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
 * Copies a record with aliases renamed and without `null` fields.
 *
 * If both names are present, the canonical one wins.
 */
export function properFields(record: JsonRecord, names: Record<string, string>): JsonRecord {
  return renameFields(record, names, true);
}

/** Copies a record with aliases renamed; `null` fields are kept unless `dropNulls` is set. */
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

/** Maximum nesting depth of incoming values. */
export const MAX_DEPTH = 128;

/** Throws if a value is nested so deep that processing it could exhaust the stack. */
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
 * Looks up a word in any case and with any separators.
 *
 * The keys of the table are lower case without separators. An unknown word is returned unchanged, so
 * that the error quotes it as received.
 */
export function spelled<T>(table: Record<string, T>, value: unknown): T | unknown {
  if (typeof value !== "string" || value.length > 64) return value;
  const key = value.replaceAll(/[-_ ]/g, "").toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : value;
}

/** A method that clients call, as the server needs it at run time. */
export interface RpcMethod<Params> {
  readonly name: string;
  /** Returns the params, normalized; throws a `CodexError` that names the field and the expectation. */
  check(params: unknown): Params;
}

/** The methods of a type map from name to `{ params, result }`. */
export type RpcMethods<Methods extends { [Name in keyof Methods]: { params: unknown } }> = {
  readonly [Name in keyof Methods]: RpcMethod<Methods[Name]["params"]>;
};

/** Parts of a method's param check. */
interface ParamCheck {
  name: string;
  /** Normalizes the params: spelling of names and values, `null`s. It checks nothing. */
  read: (params: JsonRecord) => JsonRecord;
  valid: Check;
}

/** Creates a method that takes an object as params. */
export function checkedMethod<Params>({ name, read, valid }: ParamCheck): RpcMethod<Params> {
  return {
    name,
    check(params) {
      if (params !== undefined && params !== null && !isRecord(params)) {
        throw new CodexError("invalid_request", `params of ${name} must be an object.`);
      }
      assertDepth(params);
      const value = read(params ?? {});
      if (!valid(value)) assertValid(valid, value, "params");
      return value as Params;
    },
  };
}

/** Creates a method without params; anything sent as params is ignored. */
export function bareMethod(name: string): RpcMethod<Record<string, never>> {
  return { name, check: () => ({}) };
}

/**
 * Creates a v2 method, mostly for generated code. `valid` returns the check, whose module is loaded
 * with the first request. `nullable` names the params in which `null` is a value.
 */
export function v2Method<Params>(
  name: string,
  valid: () => Check,
  nullable: readonly string[] = [],
): RpcMethod<Params> {
  let method: RpcMethod<Params> | undefined;
  const read = (params: JsonRecord) => toV2Params(params, nullable);
  return {
    name,
    check(params) {
      method ??= checkedMethod({ name, read, valid: valid() });
      return method.check(params);
    },
  };
}

/** Normalizes params: drops `null`s except in `nullable` fields. Unknown fields are kept. */
function toV2Params(params: JsonRecord, nullable: readonly string[]): JsonRecord {
  return changeFields(params, (name, value) =>
    value === null && !nullable.includes(name) ? undefined : value,
  );
}
