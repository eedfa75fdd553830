import { CodexError } from "../error.js";

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
