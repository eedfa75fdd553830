import { isAbsolute, normalize } from "node:path";

/** Returns true for an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true for an absolute path without `..`. */
export function isPath(value: unknown): boolean {
  return typeof value === "string" && isAbsolute(value) && normalize(value) === value;
}

/** Returns true for a stored state of a path; undefined is a path without a file. */
export function isState(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const { kind, mode, hash, size, target } = value;
  if (kind === "link") return typeof target === "string";
  const hasMode = typeof mode === "number";
  if (kind === "folder") return hasMode;
  return kind === "file" && hasMode && typeof size === "number" && isHash(hash);
}

/** Returns true for the hash of contents. */
function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
