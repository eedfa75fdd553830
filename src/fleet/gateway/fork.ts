import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp, RolloutLine } from "../../protocol/types.js";
import { parseRolloutFileName } from "../../rollout/index.js";

/** The beginning of a thread that continues a copy of another one. */
export interface Fork {
  threadId: string;
  op: ConfigureSessionOp;
  history: RolloutLine[];
}

/** Reads the copy that the server has written; undefined if the op resumes a thread as it is. */
export async function readFork(op: ConfigureSessionOp): Promise<Fork | undefined> {
  const { resume_path: path, ephemeral, ...rest } = op;
  if (op.is_copy !== true || path === undefined) return undefined;
  const threadId = parseRolloutFileName(basename(path))?.id;
  if (ephemeral === true || threadId === undefined) {
    const message = "A thread of a fleet is always stored; omit `ephemeral`";
    throw new CodexError("invalid_request", message);
  }
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return { threadId, op: rest, history: lines.map((line) => JSON.parse(line) as RolloutLine) };
}
