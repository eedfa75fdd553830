import Type, { type Static } from "typebox";
import { featureKeys } from "./features.js";
import { ignoredKeys } from "./ignored.js";
import { interfaceKeys } from "./interface.js";
import { instructionKeys, modelKeys } from "./model.js";
import { policyKeys } from "./policy.js";
import { setting } from "./setting.js";
import { toolKeys } from "./tools.js";

export const ProfileToml = Type.Object(
  {
    model: modelKeys.model,
    review_model: modelKeys.review_model,
    model_provider: modelKeys.model_provider,
    oss_provider: modelKeys.oss_provider,
    chatgpt_base_url: modelKeys.chatgpt_base_url,
    model_context_window: modelKeys.model_context_window,
    model_auto_compact_token_limit: modelKeys.model_auto_compact_token_limit,
    model_reasoning_effort: modelKeys.model_reasoning_effort,
    model_reasoning_summary: modelKeys.model_reasoning_summary,
    model_verbosity: modelKeys.model_verbosity,
    personality: modelKeys.personality,
    approval_policy: policyKeys.approval_policy,
    sandbox_mode: policyKeys.sandbox_mode,
    sandbox_workspace_write: policyKeys.sandbox_workspace_write,
    model_instructions_file: instructionKeys.model_instructions_file,
    experimental_instructions_file: instructionKeys.experimental_instructions_file,
    experimental_compact_prompt_file: instructionKeys.experimental_compact_prompt_file,
    web_search: toolKeys.web_search,
    tools: toolKeys.tools,
    tools_web_search: setting(Type.Boolean(), {
      text: "Same as `tools.web_search`.",
      since: "0.98",
      alias: "tools.web_search",
    }),
    tools_view_image: setting(Type.Boolean(), {
      text: "Same as `tools.view_image`.",
      since: "0.98",
      alias: "tools.view_image",
    }),
    include_apply_patch_tool: setting(Type.Boolean(), {
      text: "Older name of `features.apply_patch_freeform`.",
      since: "0.98",
      alias: "features.apply_patch_freeform",
    }),
    experimental_use_unified_exec_tool: toolKeys.experimental_use_unified_exec_tool,
    experimental_use_freeform_apply_patch: toolKeys.experimental_use_freeform_apply_patch,
    features: featureKeys.features,
    hide_agent_reasoning: interfaceKeys.hide_agent_reasoning,
    show_raw_agent_reasoning: interfaceKeys.show_raw_agent_reasoning,
    file_opener: interfaceKeys.file_opener,
    tui: interfaceKeys.tui,
    approvals_reviewer: policyKeys.approvals_reviewer,
    analytics: ignoredKeys.analytics,
    include_apps_instructions: ignoredKeys.include_apps_instructions,
    include_collaboration_mode_instructions: ignoredKeys.include_collaboration_mode_instructions,
    include_environment_context: ignoredKeys.include_environment_context,
    include_permissions_instructions: ignoredKeys.include_permissions_instructions,
    model_catalog_json: ignoredKeys.model_catalog_json,
    plan_mode_reasoning_effort: ignoredKeys.plan_mode_reasoning_effort,
    service_tier: ignoredKeys.service_tier,
    windows: ignoredKeys.windows,
  },
  { $id: "ProfileToml", description: "A named set of settings." },
);
export interface ProfileToml extends Static<typeof ProfileToml> {}

/** Profiles. */
export const profileKeys = {
  profile: setting(Type.String(), {
    text: "Profile to use: a table of `profiles`, a file `NAME.config.toml` in the same directory, or both.",
    flag: {
      name: "--profile",
      short: "p",
      value: "NAME",
      help: "Use a profile: [profiles.NAME] or NAME.config.toml",
    },
  }),
  profiles: setting(Type.Record(Type.String(), ProfileToml), {
    text: "Profiles by name. Settings of the selected profile override those of this file.",
  }),
};
