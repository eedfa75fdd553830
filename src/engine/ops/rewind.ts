import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Returns to the state before a turn. */
const rewind: OpHandler<"rewind"> = async (session, op, id) => {
  const { rewindTo } = await import("../rewind/rewind.js");
  await rewindTo(session, op, id);
};

/** Takes back the last rewind or switch. */
const rewindUndo: OpHandler<"rewind_undo"> = async (session, op, id) => {
  const { undoRewind } = await import("../rewind/rewind.js");
  await undoRewind(session, op, id);
};

/** Continues the conversation after a turn of any branch. */
const switchBranch: OpHandler<"switch_branch"> = async (session, op, id) => {
  const { switchTo } = await import("../rewind/rewind.js");
  await switchTo(session, op, id);
};

/** Restores the files of the last turn that changed some, as versions of 2025 did. */
const undo: OpHandler<"undo"> = async (session, _op, id) => {
  const { undoLastTurn } = await import("../rewind/undo-last-turn.js");
  await undoLastTurn(session, id);
};

/** Handlers of ops that return to an earlier state. */
export const rewindOps = {
  rewind,
  rewind_undo: rewindUndo,
  switch_branch: switchBranch,
  undo,
} satisfies Partial<OpHandlers>;
