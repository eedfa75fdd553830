import { errorText } from "../../lib/errors.js";
import type { Session } from "../session.js";
import { move, openTree } from "./rewind.js";

/** Restores the files of the last turn that changed some and was not restored yet. */
export async function undoLastTurn(session: Session, id: string): Promise<void> {
  session.events.answer(id, { type: "undo_started", message: "Undo in progress..." });
  try {
    const tree = await openTree(session);
    const restored = new Set(tree.rewinds.map(({ turn_id }) => turn_id));
    const mark = tree.checkpoints.findLast(
      ({ turnId }) =>
        turnId !== undefined && !restored.has(turnId) && tree.find(turnId)?.changedFiles !== 0,
    );
    const turn = mark?.turnId === undefined ? undefined : tree.find(mark.turnId);
    if (turn === undefined) return complete(session, id, false, "No checkpoint to undo.");
    const record = { kind: "rewind", turn_id: turn.id, what: "files" } as const;
    const marks = tree.checkpointsSince(turn);
    await move(session, id, { tree, record, chat: undefined, marks, options: {} });
    complete(session, id, true, "The files of the last turn were restored.");
  } catch (error) {
    complete(session, id, false, errorText(error));
  }
}

function complete(session: Session, id: string, success: boolean, message: string): void {
  session.events.answer(id, { type: "undo_completed", success, message });
}
