import type { FileChange } from "../file-change.js";

/** A file change under the name of its kind, as versions before the end of 2025 write it. */
export type KeyedFileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };

/** Writes a file change as `{"add":{…}}`. */
export function toKeyedFileChange(change: FileChange): KeyedFileChange {
  switch (change.type) {
    case "add":
      return { add: { content: change.content } };
    case "delete":
      return { delete: { content: change.content } };
    case "update":
      return {
        update: { unified_diff: change.unified_diff, move_path: change.move_path ?? null },
      };
  }
}

/** Writes a file change as `{"type":"add",…}` with `move_path` always there. */
export function toTaggedFileChange(change: FileChange): FileChange {
  if (change.type !== "update") return change;
  return { ...change, move_path: change.move_path ?? null };
}
