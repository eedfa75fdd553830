import type { PlanCell } from "../state/cell.js";
import { hang } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { TurnPlanStep } from "../wire.js";

/** The plan as a list to tick off. */
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
  if (status === "completed") return hang(theme.dim(text), width, theme.success("  ✔ "));
  if (status === "inProgress") return hang(theme.bold(text), width, theme.accent("  ▸ "));
  return hang(text, width, "  ☐ ");
}
