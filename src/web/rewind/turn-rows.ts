import type { TurnTreeNode } from "../../protocol/rpc/v2/rewind.js";

/** A turn in the drawing of a tree. */
export interface TurnRow {
  turn: TurnTreeNode;
  /** Column: 0 for the branch of the conversation, one more for each branch off it. */
  lane: number;
  /** True if it is the first turn of a branch. */
  isBranch: boolean;
  /** True if no turn follows in its lane. */
  isEnd: boolean;
}

/**
 * Returns the turns in the order of the drawing: other branches of a turn come before the one that
 * continues in its lane, so that the lanes to the left of a row are never interrupted.
 */
export function toTurnRows(turns: readonly TurnTreeNode[]): TurnRow[] {
  const children = new Map<string | null, TurnTreeNode[]>();
  for (const turn of turns) {
    const siblings = children.get(turn.parentTurnId);
    if (siblings === undefined) children.set(turn.parentTurnId, [turn]);
    else siblings.push(turn);
  }
  const rows: TurnRow[] = [];
  const pending: Omit<TurnRow, "isEnd">[] = [];
  const expand = (turnId: string | null, lane: number) => {
    const next = children.get(turnId) ?? [];
    const main = next.find(({ isActive }) => isActive) ?? next.at(-1);
    if (main !== undefined) pending.push({ turn: main, lane, isBranch: false });
    for (const turn of next.toReversed()) {
      if (turn !== main) pending.push({ turn, lane: lane + 1, isBranch: true });
    }
  };
  expand(null, 0);
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    rows.push({ ...row, isEnd: !children.has(row.turn.turnId) });
    expand(row.turn.turnId, row.lane);
  }
  return rows;
}
