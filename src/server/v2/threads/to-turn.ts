import type { ThreadItem } from "../../../protocol/rpc/v2/item.js";
import type { Turn, TurnItemsView } from "../../../protocol/rpc/v2/turn.js";
import type { RebuiltItem, RebuiltTurn } from "../../../rollout/index.js";
import { toRebuiltItem } from "./to-item.js";

/** A recorded turn as v2 shows it, with its items or some of them. */
export function toTurn(rebuilt: RebuiltTurn, view: TurnItemsView, runningId?: string): Turn {
  const { id, status, error, startedAtMs, completedAtMs, responseId } = rebuilt;
  const isRunning = id === runningId;
  const [from, to] = [startedAtMs, isRunning ? undefined : completedAtMs];
  return {
    id,
    rootTurnId: /^turn-\d+$/.test(id) ? null : id,
    items: itemsIn(view, rebuilt.items),
    itemsView: view,
    status: isRunning ? "inProgress" : status,
    error:
      error === undefined
        ? null
        : { message: error, codexErrorInfo: null, additionalDetails: null, misalignment: null },
    startedAt: toSeconds(from),
    completedAt: toSeconds(to),
    durationMs: from === undefined || to === undefined ? null : Math.max(0, to - from),
    responseId: isRunning ? null : (responseId ?? null),
  };
}

function itemsIn(view: TurnItemsView, items: readonly RebuiltItem[]): ThreadItem[] {
  switch (view) {
    case "notLoaded":
      return [];
    case "full":
      return items.flatMap(toRebuiltItem);
    case "summary": {
      const shown = [
        items.find(({ type }) => type === "UserMessage"),
        items.findLast(({ type }) => type === "AgentMessage"),
      ];
      return shown.flatMap((item) => (item === undefined ? [] : toRebuiltItem(item)));
    }
  }
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}
