import { unifiedDiff } from "../patch/index.js";
import type { BlobStore } from "./blob-store.js";
import type { FileState } from "./file-state.js";
import type { RestoreStep } from "./restore-plan.js";

/** A file of a restore, with the lines that it gains and loses. */
export interface FilePreview {
  path: string;
  kind: "add" | "update" | "delete";
  additions: number;
  deletions: number;
  isBinary: boolean;
}

/** Describes the steps for the user; folders are left out. */
export function previewSteps(steps: readonly RestoreStep[], store: BlobStore): FilePreview[] {
  return steps.flatMap(({ path, from, to }) => {
    if ((from ?? to)?.kind === "folder" && (to ?? from)?.kind === "folder") return [];
    const [old, now] = [textOf(from, store), textOf(to, store)];
    const kind = isNothing(from) ? "add" : isNothing(to) ? "delete" : "update";
    const isBinary = old === undefined || now === undefined;
    const counts = isBinary ? { additions: 0, deletions: 0 } : countLines(old, now);
    return [{ path, kind, ...counts, isBinary }] satisfies FilePreview[];
  });
}

function isNothing(state: FileState | undefined): boolean {
  return state === undefined || state.kind === "folder";
}

/** Returns the text of a state; undefined if it is binary or too long to compare. */
function textOf(state: FileState | undefined, store: BlobStore): string | undefined {
  if (state === undefined || state.kind === "folder") return "";
  if (state.kind === "link") return state.target;
  if (state.size > longest) return undefined;
  const bytes = store.get(state.hash);
  return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString();
}

const longest = 4 * 1024 * 1024;

function countLines(old: string, now: string) {
  const lines = unifiedDiff(old, now, { context: 0 }).split("\n");
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count("+"), deletions: count("-") };
}
