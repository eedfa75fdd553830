import { type Hunk, newLines, oldLines, PatchStream, type UpdateChunk } from "../patch/index.js";
import type { CustomToolCallItem, FileChange, ResponseItem } from "../protocol/types.js";
import type { Task } from "./task.js";

/** A patch that the model still writes. */
interface GrowingPatch {
  callId: string;
  stream: PatchStream;
  emittedAt: number | undefined;
  /** True if something was added since the last event. */
  isNewer: boolean;
}

/**
 * Emits a preview of a patch while the model writes it.
 *
 * Each event has the whole patch, so there are at most two per second. Input that is not a valid
 * patch is dropped; the tool call reports the error.
 */
export class PatchPreview {
  #task: Task;
  #growing = new Map<string, GrowingPatch>();

  constructor(task: Task) {
    this.#task = task;
  }

  /** Called when the model starts an item. */
  begin(item: ResponseItem): void {
    if (!isPatch(item)) return;
    const patch = { callId: item.call_id, stream: new PatchStream(), emittedAt: undefined };
    this.#growing.set(item.id ?? item.call_id, { ...patch, isNewer: false });
  }

  push(delta: string, itemId: string | undefined): void {
    const key = itemId ?? [...this.#growing.keys()].at(-1) ?? "";
    const patch = this.#growing.get(key);
    if (patch === undefined) return;
    if (patch.stream.push(delta) !== undefined) {
      this.#growing.delete(key);
      return;
    }
    if (patch.stream.hunks.length === 0) return;
    patch.isNewer = true;
    const now = this.#task.session.parts.clock.now();
    if (patch.emittedAt === undefined || now - patch.emittedAt >= leastMs) this.#emit(patch, now);
  }

  /** Called when the item is complete: emits the rest of the patch. */
  end(item: ResponseItem): void {
    if (!isPatch(item)) return;
    const key = item.id ?? item.call_id;
    const patch = this.#growing.get(key);
    this.#growing.delete(key);
    if (patch === undefined || patch.stream.finish() !== undefined || !patch.isNewer) return;
    this.#emit(patch, this.#task.session.parts.clock.now());
  }

  #emit(patch: GrowingPatch, now: number): void {
    patch.emittedAt = now;
    patch.isNewer = false;
    const changes = Object.fromEntries(
      patch.stream.hunks.map((hunk) => [hunk.path, toChange(hunk)]),
    );
    this.#task.emit({ type: "patch_apply_updated", call_id: patch.callId, changes }, patch.callId);
  }
}

/** Minimum time between two previews of a patch. */
const leastMs = 500;

function isPatch(item: ResponseItem): item is CustomToolCallItem {
  return item.type === "custom_tool_call" && item.name === "apply_patch";
}

function toChange(hunk: Hunk): FileChange {
  switch (hunk.type) {
    case "add":
      return { type: "add", content: hunk.contents };
    case "delete":
      return { type: "delete", content: "" };
    case "update": {
      const { movePath, chunks } = hunk;
      const move = movePath === undefined ? {} : { move_path: movePath };
      return { type: "update", unified_diff: chunks.map(chunkText).join(""), ...move };
    }
  }
}

/** The file is not read for a preview, so all old lines are removed and all new ones added. */
function chunkText(chunk: UpdateChunk): string {
  const lines = [
    chunk.context === undefined ? "@@" : `@@ ${chunk.context}`,
    ...oldLines(chunk).map((line) => `-${line}`),
    ...newLines(chunk).map((line) => `+${line}`),
    ...(chunk.endOfFile ? ["*** End of File"] : []),
  ];
  return `${lines.join("\n")}\n`;
}
