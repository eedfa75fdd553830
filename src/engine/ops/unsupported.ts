import { CodexError } from "../../protocol/error.js";
import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";

/** Answers an op that this version knows but cannot do yet. */
export function unsupported(_session: Session, op: Op): never {
  throw new CodexError("unsupported", `This version of quire does not serve ${op.type}`);
}
