import type { HelperAgents } from "../state/agents.js";
import { truncate } from "../text/layout.js";
import { durationText } from "../text/numbers.js";
import { sanitize } from "../text/sanitize.js";
import { marks } from "../theme/marks.js";
import type { View } from "../view.js";

/** Limit of agents shown. */
const mostShown = 5;

/** Renders a line for each helper agent at work: its path, state and time; empty if there is none. */
export function agentLines({ active }: HelperAgents, { theme, now, width }: View): string[] {
  if (active.length === 0) return [];
  const lines = active.slice(0, mostShown).map(({ path, state, startedAt }) => {
    const time = durationText(Math.max(0, now - startedAt));
    const isWaiting = state === "waiting";
    const mark = isWaiting ? marks.waiting : marks.running;
    const text = truncate(`  ${mark} ${sanitize(path)} ${state} (${time})`, width);
    return isWaiting ? theme.accent(text) : theme.dim(text);
  });
  const hidden = active.length - lines.length;
  const more = hidden > 0 ? `    … ${hidden} more · /agents to look into one` : undefined;
  return more === undefined ? lines : [...lines, theme.dim(truncate(more, width))];
}
