import { CodexError } from "../../protocol/error.js";
import { setThreadName as keepName } from "../../rollout/index.js";
import type { OpHandler } from "./index.js";

/** Gives the thread a name that lists show, and that it can be resumed by. */
export const setThreadName: OpHandler<"set_thread_name"> = async (session, op, id) => {
  const name = op.name.trim();
  if (name === "") throw new CodexError("invalid_request", "Thread name cannot be empty.");
  if (session.parts.log.path === undefined) {
    const message = "This conversation is not recorded in a file, so it cannot be named";
    throw new CodexError("invalid_request", message);
  }
  const { home } = session.config;
  await keepName(home, session.id, { name, now: session.parts.clock.now() });
  session.emit(id, { type: "thread_name_updated", thread_id: session.id, thread_name: name });
};
