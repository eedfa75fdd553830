import type { TuiHost } from "../host.js";
import type { Status } from "../state/status.js";
import { groupedNumber } from "../text/count.js";

/** The last lines on the screen: the tokens used and the command that continues the session. */
export function exitSummary(
  { usage, threadId, hasTurns }: Status,
  { resumeCommand }: Pick<TuiHost, "resumeCommand">,
): string[] {
  if (threadId === undefined || !hasTurns) return [];
  const hint = `To continue this session, run ${resumeCommand(threadId)}`;
  return usage === undefined ? [hint] : [usageText(usage.total), hint];
}

function usageText({
  totalTokens,
  inputTokens,
  cachedInputTokens,
  outputTokens,
}: NonNullable<Status["usage"]>["total"]): string {
  const cached = cachedInputTokens > 0 ? ` (${groupedNumber(cachedInputTokens)} cached)` : "";
  const parts = `${groupedNumber(inputTokens)} input${cached}, ${groupedNumber(outputTokens)} output`;
  return `Token usage: ${groupedNumber(totalTokens)} total, ${parts}`;
}
