import { renderLiveMarkdown, renderMarkdown } from "../markdown/render.js";
import type { AgentCell, ReasoningCell } from "../state/cell.js";
import { prefixed } from "../text/layout.js";
import type { View } from "../view.js";

/** Renders a block of an agent message; the first one has a bullet. */
export function agentLines({ source, isFirst }: AgentCell, view: View): string[] {
  const lines = renderMarkdown(source, { ...view, width: Math.max(1, view.width - 2) });
  return prefixed(lines, isFirst ? view.theme.dim("• ") : "  ", "  ");
}

/** Renders the block that is still streaming: without highlighting, at most `height` lines. */
export function liveAgentLines(
  { source, isFirst }: AgentCell,
  view: View,
  height: number,
): string[] {
  const lines = renderLiveMarkdown(source, { ...view, width: Math.max(1, view.width - 2) });
  const shown = lines.length > height ? lines.slice(-height) : lines;
  const isCut = shown.length < lines.length;
  return prefixed(shown, isFirst && !isCut ? view.theme.dim("• ") : "  ", "  ");
}

/** Renders reasoning, dimmed and in italics. */
export function reasoningLines({ text }: ReasoningCell, view: View): string[] {
  const { theme } = view;
  const lines = renderMarkdown(text, { ...view, width: Math.max(1, view.width - 2) });
  return prefixed(
    lines.map((line) => theme.dim(theme.italic(line))),
    theme.dim("• "),
    "  ",
  );
}
