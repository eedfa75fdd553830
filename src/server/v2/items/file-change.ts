import type { FileChangeItem } from "../../../protocol/rpc/v2/item.js";
import type { FileUpdateChange, PatchApplyStatus } from "../../../protocol/rpc/v2/item-parts.js";
import type { FileChange, PatchApplyEndEvent } from "../../../protocol/types.js";

/** A change of files by a patch. */
export function toFileChangeItem(
  id: string,
  changes: Record<string, FileChange>,
  status: PatchApplyStatus,
): FileChangeItem {
  return { type: "fileChange", id, changes: toFileUpdateChanges(changes), status };
}

/** A change of files that is over; what its end does not say is taken from its beginning. */
export function endedFileChange(
  msg: PatchApplyEndEvent,
  started: FileChangeItem | undefined,
): FileChangeItem {
  const status = msg.status ?? (msg.success ? "completed" : "failed");
  if (msg.changes !== undefined) return toFileChangeItem(msg.call_id, msg.changes, status);
  return { type: "fileChange", id: msg.call_id, changes: started?.changes ?? [], status };
}

/** The changes in the order of their paths, each with what it does to its file. */
export function toFileUpdateChanges(changes: Record<string, FileChange>): FileUpdateChange[] {
  return Object.entries(changes)
    .map(([path, change]) => toFileUpdateChange(path, change))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function toFileUpdateChange(path: string, change: FileChange): FileUpdateChange {
  switch (change.type) {
    case "add":
    case "delete":
      return { path, kind: { type: change.type }, diff: change.content };
    case "update": {
      const { move_path = null, unified_diff } = change;
      const diff = move_path === null ? unified_diff : `${unified_diff}\n\nMoved to: ${move_path}`;
      return { path, kind: { type: "update", move_path }, diff };
    }
  }
}
