import { isAbsolute, resolve } from "node:path";
import type { Op } from "../protocol/types.js";

/** The op with an absolute working directory; a relative one is taken from the server's own. */
export function withAbsoluteCwd<AnyOp extends Op>(op: AnyOp, serverCwd: string): AnyOp {
  if (!("cwd" in op) || typeof op.cwd !== "string" || isAbsolute(op.cwd)) return op;
  return { ...op, cwd: resolve(serverCwd, op.cwd) };
}
