import { type EnvironmentContext, environmentMessage } from "../opening/environment.js";
import { modeMessages } from "../opening/modes.js";
import type { OpHandler } from "./index.js";

/** Changes the settings of the turns that follow, and tells the model what concerns it. */
export const overrideTurnContextOp: OpHandler<"override_turn_context"> = (session, op) => {
  const before = session.context;
  session.override(op);
  if (session.parts.era.engine.opening !== "policies in the environment") {
    return session.tellChange(before);
  }
  const told: EnvironmentContext = {
    ...(op.cwd ? { cwd: op.cwd } : {}),
    ...(op.approval_policy ? { approval_policy: op.approval_policy } : {}),
    ...(op.sandbox_policy ? { sandbox_policy: op.sandbox_policy } : {}),
  };
  if (Object.keys(told).length > 0) session.record([environmentMessage(told)]);
  session.record(modeMessages(before, session.context, session.parts.era.engine));
};
