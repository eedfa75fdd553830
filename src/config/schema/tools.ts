import Type, { type Static } from "typebox";
import { absent, given } from "./ignored.js";
import { Count, setting, TextList } from "./setting.js";

export const UpdatePlanToml = Type.Object(
  {
    enabled: setting(Type.Boolean(), { text: "Offers the tool.", project: true }),
  },
  { $id: "UpdatePlanToml", description: "The plan tool." },
);
export interface UpdatePlanToml extends Static<typeof UpdatePlanToml> {}

export const WebSearchToml = Type.Object(
  {},
  {
    $id: "WebSearchToml",
    description: "Details of web searches. Has no effect.",
    additionalProperties: true,
  },
);

export const ToolsToml = Type.Object(
  {
    web_search: setting(Type.Union([Type.Boolean(), WebSearchToml]), {
      text: 'Web search: `true` is `web_search = "live"`, `false` is `"disabled"`.',
      project: [false],
    }),
    web_search_request: setting(Type.Boolean(), {
      text: "Older name of `web_search`.",
      project: [false],
      alias: "tools.web_search",
    }),
    view_image: setting(Type.Boolean(), {
      text: "Offers the tool that attaches local images.",
      default: true,
      project: true,
    }),
    search_above: setting(Count(), {
      text: "Number of tools of MCP servers above which the model is not offered them, but a search for them. Default: 20.",
      since: "current",
      project: true,
    }),
    script_seconds: setting(Count({ minimum: 1 }), {
      text: "Time that a script of `exec` may run without waiting for a tool, in seconds.",
      default: 600,
      since: "current",
      project: true,
    }),
    script_memory_mb: setting(Count({ minimum: 16, maximum: 4096 }), {
      text: "Memory that a script of `exec` may use, in megabytes.",
      default: 256,
      since: "current",
    }),
    experimental_request_user_input: absent(),
    update_plan: setting(UpdatePlanToml, {
      text: "The plan tool.",
      since: "0.166",
      project: true,
    }),
  },
  { $id: "ToolsToml", description: "Tools offered to the model." },
);
export interface ToolsToml extends Static<typeof ToolsToml> {}

export const SkillEntryToml = Type.Object(
  {
    path: setting(Type.String(), { text: "Path of SKILL.md.", path: true }),
    name: setting(Type.String(), {
      text: "Name of the skill, instead of `path`; applies to all skills of that name.",
      since: "0.166",
    }),
    enabled: setting(Type.Boolean(), { text: "Enables the skill." }),
  },
  { $id: "SkillEntryToml", description: "Enables or disables one skill." },
);
export interface SkillEntryToml extends Static<typeof SkillEntryToml> {}

export const SkillsToml = Type.Object(
  {
    config: setting(Type.Array(SkillEntryToml), { text: "Skills to enable or disable." }),
    bundled: absent(),
    include_instructions: given(true),
    max_context_tokens: absent(),
  },
  { $id: "SkillsToml", description: "Skills offered to the model." },
);
export interface SkillsToml extends Static<typeof SkillsToml> {}

const AgentRoleToml = Type.Object(
  {
    description: setting(Type.String(), { text: "Purpose of the role.", since: "0.166" }),
    config_file: setting(Type.String(), {
      text: "File with the settings of the role, relative to the Codex home.",
      since: "0.166",
    }),
    nickname_candidates: setting(Type.Array(Type.String()), {
      text: "Nicknames for agents of the role.",
      since: "0.166",
    }),
  },
  { $id: "AgentRoleToml", description: "A role of helper agents." },
);
export interface AgentRoleToml extends Static<typeof AgentRoleToml> {}

export const AgentsToml = Type.Object(
  {
    max_threads: setting(Count({ minimum: 1 }), {
      text: "Maximum number of concurrent agents.",
      default: 6,
      since: "0.98",
    }),
    max_concurrent_threads_per_session: setting(Count({ minimum: 1 }), {
      text: "Maximum number of helper agents of a session that work at the same time. Default: 3.",
      since: "0.166",
    }),
    max_depth: setting(Count(), {
      text: "Maximum depth of nested agents. Default: 4.",
      since: "0.104",
    }),
  },
  {
    $id: "AgentsToml",
    description: "Helper agents. Other keys are roles, by name.",
    additionalProperties: AgentRoleToml,
  },
);
export interface AgentsToml extends Omit<Static<typeof AgentsToml>, never> {}

/** Tools of the model. */
export const toolKeys = {
  tools: setting(ToolsToml, { text: "Tools offered to the model.", project: true }),
  web_search: setting(Type.Enum(["disabled", "cached", "live"]), {
    text: "Web search mode. Default: that of `tools.web_search`, otherwise `live` with full access and `cached` in a sandbox, if the provider supports search.",
    since: "0.98",
    project: ["disabled", "cached"],
  }),
  tool_output_token_limit: setting(Count(), {
    text: "Maximum number of tokens of a tool output.",
    since: "0.98",
    project: true,
  }),
  skills: setting(SkillsToml, { text: "Skills offered to the model.", since: "0.98" }),
  agents: setting(AgentsToml, { text: "Helper agents.", since: "0.98" }),
  experimental_use_exec_command_tool: setting(Type.Boolean(), {
    text: "Offers `exec_command` and `write_stdin` instead of one-shot commands.",
    default: false,
    project: true,
  }),
  experimental_use_unified_exec_tool: setting(Type.Boolean(), {
    text: "Older name of `features.unified_exec`.",
    project: true,
    alias: "features.unified_exec",
  }),
  experimental_use_freeform_apply_patch: setting(Type.Boolean(), {
    text: "Older name of `features.apply_patch_freeform`.",
    since: "0.98",
    project: true,
    alias: "features.apply_patch_freeform",
  }),
  project_doc_max_bytes: setting(Count(), {
    text: "Maximum number of bytes read from AGENTS.md files; 0 disables them.",
    default: 32_768,
    project: true,
  }),
  project_doc_fallback_filenames: setting(TextList, {
    text: "File names to read in a directory without AGENTS.md.",
    since: "0.98",
    default: [],
    project: true,
  }),
};
