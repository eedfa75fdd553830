import { type FinishedCommand, plainOutput, structuredOutput } from "../../exec/index.js";
import type { ToolContext } from "../tool.js";
import type { ExecServices } from "./services.js";

/** How a command ended, as JSON or, for models that know that better, in plain lines. */
export function renderFor(
  { turn }: Pick<ToolContext, "turn">,
  { dialect, cut, outputLimit }: ExecServices,
  result: FinishedCommand,
): string {
  const isPlain = dialect.plainForPatchers && turn.family.applyPatchTool === "freeform";
  return isPlain ? plainOutput(result, outputLimit) : structuredOutput(result, cut);
}
