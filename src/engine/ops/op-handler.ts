import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";

/** Handles one type of op for a session. An exception becomes an `error` event under `id`. */
export type OpHandler<Type extends Op["type"]> = (
  session: Session,
  op: Extract<Op, { type: Type }>,
  id: string,
) => void | Promise<void>;
