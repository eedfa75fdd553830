import type { Theme } from "../theme/theme.js";
import type { WorkStatus } from "../wire.js";

/** The mark before a piece of work: by its colour, and without colour by its form. */
export function statusMark(status: WorkStatus, theme: Theme): string {
  if (status === "completed") return theme.success("• ");
  if (status === "inProgress") return theme.dim("◦ ");
  return theme.failure("✗ ");
}
