import { checkFileChange } from "../checks/events.generated.js";
import type { FileChange } from "../file-change.js";
import { assertValid } from "./problem.js";
import { changeFields, isRecord, type JsonRecord } from "./record.js";

/** Reads a file change: `{"type":"add",…}` or `{"add":{…}}`. */
export function parseFileChange(value: unknown, name = "change"): FileChange {
  const change = toFileChange(value);
  assertValid(checkFileChange, change, name);
  return change as FileChange;
}

/** Brings a map of file changes into the one form, unchecked. */
export function toFileChanges(value: unknown): unknown {
  return isRecord(value) ? changeFields(value, (_, change) => toFileChange(change)) : value;
}

function toFileChange(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value.type === "string") return value;
  for (const type of ["add", "delete", "update"]) {
    const fields = Object.hasOwn(value, type) ? value[type] : undefined;
    if (isRecord(fields)) return { type, ...fields } satisfies JsonRecord;
  }
  return value;
}
