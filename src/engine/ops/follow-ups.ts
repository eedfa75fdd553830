import type { FollowUps } from "../follow-ups/follow-ups.js";
import { assertInput } from "../follow-ups/queue.js";
import type { Session } from "../session.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Sets the goal, or changes fields of it; an active one starts a turn if the thread is idle. */
const setGoal: OpHandler<"set_thread_goal"> = async (session, op, id) => {
  const { objective, status, token_budget: tokenBudget } = op;
  const followUps = await loadFollowUps(session);
  followUps.goals.set({ objective, status, tokenBudget }, id);
  if (followUps.goals.isActive) followUps.startNext();
};

const clearGoal: OpHandler<"clear_thread_goal"> = async (session, _op, id) => {
  (await loadFollowUps(session)).goals.clear(id);
};

/** Queues input; if no task runs, the first in the queue starts one. */
const add: OpHandler<"queue_add"> = async (session, op, id) => {
  const followUps = await loadFollowUps(session);
  const { queue } = followUps;
  const { items, id: own = session.parts.newId(), client_id } = op;
  assertInput(items);
  const input = { id: own, items, ...(client_id === undefined ? {} : { client_id }) };
  if (session.task !== undefined) {
    session.emit(id, { type: "submission_accepted" });
    return queue.add(input);
  }
  // Clients know of the turn before its events come.
  queue.add(input);
  const start = followUps.startQueued(queue.find());
  session.emit(id, { type: "submission_accepted" });
  start();
};

const update: OpHandler<"queue_update"> = async (session, op, id) => {
  const { queue } = await loadFollowUps(session);
  queue.find(op.id);
  assertInput(op.items);
  session.emit(id, { type: "submission_accepted" });
  queue.update(op.id, op.items);
};

const remove: OpHandler<"queue_delete"> = async (session, op, id) => {
  const { queue } = await loadFollowUps(session);
  session.emit(id, { type: "submission_accepted" });
  queue.remove(op.id);
};

const reorder: OpHandler<"queue_reorder"> = async (session, { ids }, id) => {
  const { queue } = await loadFollowUps(session);
  queue.assertOrder(ids);
  session.emit(id, { type: "submission_accepted" });
  queue.reorder(ids);
};

/** Starts a turn with queued input; the answer has the id of the turn. */
const start: OpHandler<"queue_start"> = async (session, op, id) => {
  const followUps = await loadFollowUps(session);
  const { queue } = followUps;
  if (op.id !== undefined) queue.find(op.id);
  followUps.assertIdle();
  const input = queue.find(op.id);
  const turnId = session.parts.newId();
  session.emit(id, { type: "submission_accepted", turn_id: turnId });
  followUps.startQueued(input, turnId)();
};

/** Continues a resumed thread; one without a goal and a queue stays idle. */
const continueThread: OpHandler<"continue_thread"> = (session) => {
  session.followUps?.startNext();
};

async function loadFollowUps(session: Session): Promise<FollowUps> {
  const { followUpsOf } = await import("../follow-ups/follow-ups.js");
  return followUpsOf(session);
}

/** Handlers of ops on the goal and the queue of a thread. */
export const followUpOps = {
  set_thread_goal: setGoal,
  clear_thread_goal: clearGoal,
  queue_add: add,
  queue_update: update,
  queue_delete: remove,
  queue_reorder: reorder,
  queue_start: start,
  continue_thread: continueThread,
} satisfies Partial<OpHandlers>;
