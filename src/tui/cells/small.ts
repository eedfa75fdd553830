import { renderMarkdown } from "../markdown/render.js";
import type { BannerCell, NoticeCell, PlanCell, ReviewCell, ToolCell } from "../state/cell.js";
import { hang, hangProse, prefixed, truncate, widthOf } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { oneLine, reveal, sanitize } from "../text/sanitize.js";
import { marks } from "../theme/marks.js";
import type { Theme } from "../theme/theme.js";
import type { View } from "../view.js";
import type { TurnPlanStep, WorkStatus } from "../wire.js";

/** Returns the mark of a status, which its shape tells without color. */
export function statusMark(status: WorkStatus, theme: Theme): string {
  if (status === "completed") return theme.success(`${marks.done} `);
  if (status === "inProgress") return theme.accent(`${marks.running} `);
  return theme.failure(`${marks.failed} `);
}

/** Keeps the first and last lines and counts those between; returns all if few would be hidden. */
export function foldLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most + 1) return [...lines];
  const head = Math.floor(most / 2);
  const tail = most - head;
  const hidden = lines.length - head - tail;
  return [
    ...lines.slice(0, head),
    `… ${counted(hidden, "more line")} (ctrl+t to view all)`,
    ...lines.slice(lines.length - tail),
  ];
}

/** Renders labeled values, such as the banner of a session. */
export function bannerLines({ lines }: BannerCell, { theme, width }: View): string[] {
  const column = Math.max(0, ...lines.map(([label]) => widthOf(label)));
  return lines.map(([label, value]) => {
    const name = label === "" ? "" : `${theme.dim(oneLine(label).padEnd(column))}  `;
    const text = label === "" ? theme.bold(oneLine(value)) : oneLine(value);
    return truncate(`${name}${text}`, width);
  });
}

/** Renders a notice with its hint. */
export function noticeLines({ level, text, hint }: NoticeCell, { theme, width }: View): string[] {
  const marks = { info: theme.dim("• "), warning: theme.warning("⚠ "), error: theme.failure("■ ") };
  const styles = { info: theme.dim, warning: theme.warning, error: theme.failure };
  const lines = sanitize(text).trimEnd().split("\n").map(styles[level]).join("\n");
  const advice = hint === undefined ? [] : hangProse(theme.dim(sanitize(hint)), width, "  ");
  return [...hangProse(lines, width, marks[level]), ...advice];
}

/** Renders a web search, a viewed image or a client-side tool call. */
export function toolLines({ title, detail, status }: ToolCell, view: View): string[] {
  const { theme, width } = view;
  const text = `${theme.bold(oneLine(title))} ${theme.name(reveal(detail).replaceAll("\n", " "))}`;
  const shown = view.isFull ? text : truncate(text, Math.max(1, 2 * width - 4));
  return hang(shown.trimEnd(), width, statusMark(status, theme), "  ");
}

/** Renders the start of a review with its subject, or its end with the findings. */
export function reviewLines({ hasEnded, text }: ReviewCell, view: View): string[] {
  const { theme, width } = view;
  if (!hasEnded) {
    return hang(theme.bold(`Review of ${oneLine(text)}`), width, theme.accent("▶ "), "  ");
  }
  const lines = renderMarkdown(text, { ...view, width: Math.max(1, width - 2) });
  return [`${theme.accent("◀ ")}${theme.bold("Review")}`, ...prefixed(lines, "  ", "  ")];
}

/** Renders the plan as a checklist. */
export function planLines({ explanation, steps }: PlanCell, view: View): string[] {
  const { theme, width } = view;
  const why = explanation?.trim()
    ? hang(theme.dim(theme.italic(sanitize(explanation.trim()))), width, "  ")
    : [];
  return [
    `${theme.dim("• ")}${theme.bold("Plan")}`,
    ...why,
    ...steps.flatMap((step) => stepLines(step, view)),
  ];
}

function stepLines({ step, status }: TurnPlanStep, { theme, width }: View): string[] {
  const text = sanitize(step);
  if (status === "completed") return hang(theme.dim(text), width, theme.success("  ✓ "));
  if (status === "inProgress") return hang(theme.bold(text), width, theme.accent("  ▸ "));
  return hang(text, width, "  ☐ ");
}
