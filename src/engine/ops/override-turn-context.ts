import { checkCwd } from "../cwd.js";
import { modeMessages } from "../developer-messages.js";
import { type EnvironmentContext, environmentMessage } from "../environment-context.js";
import type { OpHandler } from "./index.js";

/** Changes the settings of the turns that follow, and tells the model what concerns it. */
export const overrideTurnContextOp: OpHandler<"override_turn_context"> = (session, op) => {
  checkCwd(op.cwd);
  const before = session.context;
  session.override(op);
  const told: EnvironmentContext = {
    ...(op.cwd ? { cwd: op.cwd } : {}),
    ...(op.approval_policy ? { approval_policy: op.approval_policy } : {}),
    ...(op.sandbox_policy ? { sandbox_policy: op.sandbox_policy } : {}),
  };
  if (Object.keys(told).length > 0) session.record([environmentMessage(told)]);
  session.record(modeMessages(before, session.context));
};
