import type { TuiHost } from "../host.js";
import { permissionsText, shortHome } from "../lines/footer.js";
import type { BannerCell } from "../state/cell.js";
import type { Status } from "../state/status.js";
import { groupedNumber } from "../text/numbers.js";

const titles = { start: "", resume: " · resumed", fork: " · forked" };

/** Returns the banner that starts a thread: title, model, folder and permissions. */
export function threadBanner(
  { settings, threadName }: Status,
  how: keyof typeof titles,
  { title }: TuiHost,
): BannerCell {
  const lines: [string, string][] = [["", `${title}${titles[how]}`]];
  if (threadName !== undefined) lines.push(["name", threadName]);
  if (settings !== undefined) {
    lines.push(["model", [settings.model, settings.effort].filter(Boolean).join(" ")]);
    lines.push(["folder", shortHome(settings.cwd)]);
    lines.push(["permissions", `${permissionsText(settings)} (/permissions to change)`]);
  }
  return { kind: "banner", lines };
}

/** Returns the last lines printed: tokens used and the command that resumes the session. */
export function exitSummary(
  { usage, threadId: openId, mainThreadId, hasTurns }: Status,
  { resumeCommand }: Pick<TuiHost, "resumeCommand">,
): string[] {
  const threadId = mainThreadId ?? openId;
  if (threadId === undefined || !(hasTurns || mainThreadId)) return [];
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
