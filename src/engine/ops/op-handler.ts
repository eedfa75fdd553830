import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";

/** Handles one type of op for a session. An exception becomes an `error` event under `id`. */
export type OpHandler<Type extends Op["type"]> = (
  session: Session,
  op: Extract<Op, { type: Type }>,
  id: string,
) => void | Promise<void>;

/** Ops of a session: all but those that create or end it, which the engine handles. */
export type SessionOpType = Exclude<Op["type"], "configure_session" | "shutdown">;

/** One handler for each op of a session. */
export type OpHandlers = { [Type in SessionOpType]: OpHandler<Type> };
