import type { Config } from "../config/index.js";
import type { ConfigureSessionOp } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";

/**
 * The settings with which a recorded conversation goes on.
 *
 * It goes on as it was left: where it worked, and with the model it spoke to. What the client says
 * now wins; what is allowed is decided by the settings of today, never by those of then.
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
  };
}
