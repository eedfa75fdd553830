import type { CommandAction, WireCommand } from "../wire.js";
import type { Cell, CommandCell } from "./cell.js";

/** A command that only reads, lists or searches. */
export type ExploringCell = CommandCell & {
  item: WireCommand & { commandActions: readonly CommandAction[] };
};

/** Returns whether a command of the agent only reads, lists or searches: its output is for the model. */
export function isExploring(cell: Cell): cell is ExploringCell {
  if (cell.kind !== "command" || cell.item.source === "userShell") return false;
  const actions = cell.item.commandActions ?? [];
  if (actions.length === 0 || actions.some(({ type }) => type === "unknown")) return false;
  return !cell.isDone || cell.item.status === "completed" || foundNothing(cell);
}

/** Returns whether a search ended without a match, which its exit code reports as a failure. */
export function foundNothing({ item, output }: CommandCell): boolean {
  const isSearch = (item.commandActions ?? []).every(({ type }) => type === "search");
  return isSearch && item.status === "failed" && item.exitCode === 1 && output.length === 0;
}
