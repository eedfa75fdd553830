import type { Theme } from "../theme/theme.js";
import type { WireStatus } from "../wire.js";

/** The mark before a piece of work: by its colour, and without colour by its form. */
export function statusMark(status: WireStatus, theme: Theme): string {
  if (status === "completed") return theme.success("• ");
  if (status === "inProgress") return theme.dim("◦ ");
  return theme.failure("✗ ");
}
