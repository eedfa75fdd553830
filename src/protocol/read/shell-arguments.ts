import { checkShellToolCallParams } from "../checks/items.generated.js";
import type { ShellToolCallParams } from "../items/shell-arguments.js";
import { assertValid } from "./problem.js";
import { isRecord, properFields } from "./record.js";

/** Reads the arguments of the `shell` tool; `timeout` is the same as `timeout_ms`. */
export function parseShellArguments(value: unknown): ShellToolCallParams {
  const params = isRecord(value) ? properFields(value, { timeout: "timeout_ms" }) : value;
  assertValid(checkShellToolCallParams, params, "arguments");
  return params as ShellToolCallParams;
}
