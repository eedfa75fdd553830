// One line for each suite this project can run; a suite without a line here is counted as not run.

export { suite as agents_md } from "./agents_md.js";
export { suite as apply_patch } from "./apply_patch.js";
export { suite as approval_decisions } from "./approval_decisions.js";
export { suite as auth_notify } from "./auth_notify.js";
export { suite as bash_plain_commands } from "./bash_plain_commands.js";
export { suite as config_toml } from "./config_toml.js";
export { suite as custom_prompts } from "./custom_prompts.js";
export { suite as dangerous_command } from "./dangerous_command.js";
export { suite as environment_context } from "./environment_context.js";
export { suite as exec_policy_rules } from "./exec_policy_rules.js";
export { suite as git_info } from "./git_info.js";
export { suite as history_items } from "./history_items.js";
export { suite as history_jsonl } from "./history_jsonl.js";
export { suite as mcp_tool_names } from "./mcp_tool_names.js";
export { suite as output_truncation } from "./output_truncation.js";
export { suite as parsed_cmd } from "./parsed_cmd.js";
export { suite as plan_blocks } from "./plan_blocks.js";
export { suite as protocol_serialization } from "./protocol_serialization.js";
export { suite as responses_sse } from "./responses_sse.js";
export { suite as rollout } from "./rollout.js";
export { suite as safe_command } from "./safe_command.js";
export { suite as sandbox } from "./sandbox.js";
export { suite as shell_invocation } from "./shell_invocation.js";
export { suite as skills } from "./skills.js";
export { suite as tool_definitions } from "./tool_definitions.js";
export { suite as turn_diff } from "./turn_diff.js";
