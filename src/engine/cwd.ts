import { isAbsolute } from "node:path";
import { CodexError } from "../protocol/error.js";

/** Refuses a working directory that would mean something else in another process. */
export function checkCwd(cwd: string | null | undefined): void {
  if (cwd === undefined || cwd === null || isAbsolute(cwd)) return;
  throw new CodexError("invalid_request", `cwd must be an absolute path, not ${cwd}`);
}
