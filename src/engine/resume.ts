import type { Config } from "../config/index.js";
import type { ConfigureSessionOp, TurnContextItem } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";

/**
 * The settings with which a recorded conversation continues: its folder and its model, unless the
 * client sets others. What is allowed is decided by the config of today, unless the op keeps the
 * policies of the conversation.
 */
export function resumedConfig(
  config: Config,
  { meta, turnContext }: ReplayedConversation,
  op: ConfigureSessionOp,
): Config {
  return {
    ...config,
    cwd: op.cwd ?? turnContext?.cwd ?? meta.cwd ?? config.cwd,
    model: op.model ?? turnContext?.model ?? config.model,
    ...(op.keeps_policies === true && turnContext !== undefined && policiesOf(turnContext, op)),
  };
}

/** The recorded policies that the op does not set, directly or as a setting of the config. */
function policiesOf(recorded: TurnContextItem, op: ConfigureSessionOp): Partial<Config> {
  const set = new Set([...Object.keys(op), ...Object.keys(op.config ?? {})]);
  const setsSandbox =
    set.has("default_permissions") || [...set].some((key) => key.startsWith("sandbox_"));
  return {
    ...(set.has("approval_policy") ? {} : { approval_policy: recorded.approval_policy }),
    ...(set.has("approvals_reviewer")
      ? {}
      : { approvals_reviewer: recorded.approvals_reviewer ?? "user" }),
    ...(setsSandbox ? {} : { sandbox_policy: recorded.sandbox_policy }),
  };
}
