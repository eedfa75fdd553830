import { isRecord, type Problems } from "./problems.js";

/** Returns a required text field; reports a missing or empty one, and one that programs cannot be given. */
export function nonEmpty(
  value: Readonly<Record<string, unknown>>,
  key: string,
  problems: Problems,
): string | undefined {
  const text = value[key];
  if (typeof text !== "string" || text.trim() === "") {
    return problems.at(key).expected("a text that is not empty", text);
  }
  return text.includes("\0") ? problems.at(key).expected("a text without NUL", text) : text;
}

/** Returns an optional field; reports one of another type. */
export function optional<Kind extends "string" | "boolean">(
  kind: Kind,
  value: Readonly<Record<string, unknown>>,
  key: string,
  problems: Problems,
): (Kind extends "string" ? string : boolean) | undefined {
  const entry = value[key];
  if (entry === undefined || entry === null) return undefined;
  if (typeof entry !== kind) {
    return problems.at(key).expected(kind === "string" ? "a string" : "true or false", entry);
  }
  return entry as Kind extends "string" ? string : boolean;
}

/** Returns true for a non-negative integer. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns true for a value that JSON can represent. */
export function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (isRecord(value)) return Object.values(value).every(isJson);
  return ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}
