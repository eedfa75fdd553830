import type { Config } from "../config/index.js";
import type { ConfigureSessionOp } from "../protocol/types.js";

/** The config with the settings of the op in place of its own. */
export function withOp(config: Config, op: ConfigureSessionOp): Config {
  return {
    ...config,
    model: op.model ?? config.model,
    approval_policy: op.approval_policy ?? config.approval_policy,
    approvals_reviewer: op.approvals_reviewer ?? config.approvals_reviewer,
    sandbox_policy: op.sandbox_policy ?? config.sandbox_policy,
    model_reasoning_effort: op.model_reasoning_effort ?? config.model_reasoning_effort,
    model_reasoning_summary: op.model_reasoning_summary ?? config.model_reasoning_summary,
    model_verbosity: op.model_verbosity ?? config.model_verbosity,
    personality: op.personality ?? config.personality,
    base_instructions: op.instructions ?? config.base_instructions,
    notify: op.notify ?? config.notify,
    include_plan_tool: op.include_plan_tool ?? config.include_plan_tool,
    can_answer_questions: op.can_answer_questions ?? config.can_answer_questions,
    include_apply_patch_tool: op.include_apply_patch_tool ?? config.include_apply_patch_tool,
  };
}
