import type { Event, Op, Submission } from "../../protocol/types.js";
import type { Workspaces } from "./workspace.js";

/** Returns an op as this worker runs it; throws if a thread of a fleet cannot have it. */
export function checkedOp(threadId: string, op: Op, workspaces: Workspaces): Op {
  if (op.type !== "configure_session") {
    if (!("cwd" in op) || typeof op.cwd !== "string") return op;
    return { ...op, cwd: workspaces.place(threadId, op.cwd) } as Op;
  }
  if (op.resume_path !== undefined) {
    throw new Error("A thread of a fleet cannot resume a file; resume it by its id");
  }
  if (op.ephemeral === true) {
    throw new Error("A thread of a fleet is always stored; omit `ephemeral`");
  }
  return workspaces.withFolder(threadId, op);
}

/** Returns the answer to a submission that cannot be worked on; a turn starts and ends, as clients expect it. */
export function refusal({ id, op }: Submission, message: string): Event[] {
  if (op.type !== "user_turn" && op.type !== "user_input") {
    return [{ id, msg: { type: "error", message } }];
  }
  const place = { id, turn_id: id };
  const started = { ...place, msg: { type: "task_started", model_context_window: null } } as const;
  return [started, ...failure(place, message)];
}

/** Returns the events that end a turn with an error. */
export function failure(place: Pick<Event, "id" | "turn_id">, message: string): Event[] {
  return [
    { ...place, msg: { type: "error", message } },
    { ...place, msg: { type: "task_complete", last_agent_message: null } },
  ];
}
