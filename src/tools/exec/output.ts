import type { ExecBehavior } from "../../compat/index.js";
import { deniedText, executionError, failureMessage } from "../../exec/index.js";
import { failed, ok, type ToolOutput } from "../tool.js";
import type { ExecCall } from "./exec-call.js";
import type { RanCommand } from "./run-and-tell.js";

/** What the model is told of a command that has ended, one way or another. */
export function outputOf(
  call: ExecCall,
  { result, denied }: RanCommand,
  dialect: ExecBehavior,
): ToolOutput {
  const { failureForm } = dialect;
  if (result.failure !== undefined) {
    const isPlain = failureForm === "plain" || result.failure.kind === "sandbox";
    return failed(
      isPlain
        ? `execution error: ${failureMessage(result.failure)}`
        : executionError(result.failure),
    );
  }
  if (denied && failureForm !== "plain") return failed(deniedText(result, failureForm));
  const text = call.render(result);
  return result.exitCode === 0 ? ok(text) : failed(text);
}
