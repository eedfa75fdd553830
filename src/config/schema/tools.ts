import Type, { type Static } from "typebox";
import { absent, given } from "./ignored.js";
import { Count, setting, TextList } from "./setting.js";

export const UpdatePlanToml = Type.Object(
  {
    enabled: setting(Type.Boolean(), { text: "Whether the tool is offered.", project: true }),
  },
  { $id: "UpdatePlanToml", description: "The tool that shows the user a plan." },
);
export interface UpdatePlanToml extends Static<typeof UpdatePlanToml> {}

export const WebSearchToml = Type.Object(
  {},
  {
    $id: "WebSearchToml",
    description: "Details of web searches, of other versions; without effect here.",
    additionalProperties: true,
  },
);

export const ToolsToml = Type.Object(
  {
    web_search: setting(Type.Union([Type.Boolean(), WebSearchToml]), {
      text: 'Whether the model may search the web: `true` is `web_search = "live"`, `false` is `"disabled"`.',
      project: [false],
    }),
    web_search_request: setting(Type.Boolean(), {
      text: "The older name of `web_search`.",
      project: [false],
      alias: "tools.web_search",
    }),
    view_image: setting(Type.Boolean(), {
      text: "Whether the model may look at pictures on disk.",
      default: true,
      project: true,
    }),
    experimental_request_user_input: absent(),
    update_plan: setting(UpdatePlanToml, {
      text: "The tool that shows the user a plan.",
      since: "0.166",
      project: true,
    }),
  },
  { $id: "ToolsToml", description: "Which tools the model is offered." },
);
export interface ToolsToml extends Static<typeof ToolsToml> {}

export const SkillEntryToml = Type.Object(
  {
    path: setting(Type.String(), { text: "The SKILL.md of the skill.", path: true }),
    name: setting(Type.String(), {
      text: "The name of the skill, in place of its path: all skills that are called so.",
      since: "0.166",
    }),
    enabled: setting(Type.Boolean(), { text: "Whether the skill is offered." }),
  },
  { $id: "SkillEntryToml", description: "Turns one skill on or off." },
);
export interface SkillEntryToml extends Static<typeof SkillEntryToml> {}

export const SkillsToml = Type.Object(
  {
    config: setting(Type.Array(SkillEntryToml), { text: "Skills that are turned on or off." }),
    bundled: absent(),
    include_instructions: given(true),
    max_context_tokens: absent(),
  },
  { $id: "SkillsToml", description: "Which skills the model is told of." },
);
export interface SkillsToml extends Static<typeof SkillsToml> {}

export const AgentsToml = Type.Object(
  {
    max_threads: setting(Count({ minimum: 1 }), {
      text: "How many agents may work at once.",
      default: 6,
      since: "0.98",
    }),
    max_depth: setting(Count(), {
      text: "How deep agents may start others.",
      since: "0.104",
    }),
  },
  {
    $id: "AgentsToml",
    description: "Agents that work for the model; without effect here.",
    additionalProperties: true,
  },
);
export interface AgentsToml extends Static<typeof AgentsToml> {}

export const GhostSnapshotToml = Type.Object(
  {
    ignore_large_untracked_files: setting(Type.Integer(), {
      text: "Leaves out new files larger than this many bytes; 0 leaves out none.",
      default: 10_485_760,
      since: "0.98",
      project: true,
    }),
    ignore_large_untracked_dirs: setting(Type.Integer(), {
      text: "Leaves out new folders with more files than this; 0 leaves out none.",
      default: 200,
      since: "0.98",
      project: true,
    }),
    disable_warnings: setting(Type.Boolean(), {
      text: "Says nothing about what was left out.",
      default: false,
      since: "0.98",
      project: true,
    }),
  },
  { $id: "GhostSnapshotToml", description: "Snapshots of the work tree, for undo." },
);
export interface GhostSnapshotToml extends Static<typeof GhostSnapshotToml> {}

/** What the model can use. */
export const toolKeys = {
  tools: setting(ToolsToml, { text: "Which tools the model is offered.", project: true }),
  web_search: setting(Type.Enum(["disabled", "cached", "live"]), {
    text: "How the model searches the web. Absent: as `tools.web_search` says, else `live` with full access and `cached` in a sandbox, if the provider has a search.",
    since: "0.98",
    project: ["disabled", "cached"],
  }),
  tool_output_token_limit: setting(Count(), {
    text: "How many tokens of a tool's output the model is shown.",
    since: "0.98",
    project: true,
  }),
  skills: setting(SkillsToml, { text: "Which skills the model is told of.", since: "0.98" }),
  agents: setting(AgentsToml, {
    text: "Agents that work for the model. Has no effect here.",
    since: "0.98",
    ignored: [],
  }),
  ghost_snapshot: setting(GhostSnapshotToml, {
    text: "Snapshots of the work tree, for undo. Has no effect here.",
    since: "0.98",
    project: true,
    ignored: true,
  }),
  experimental_use_exec_command_tool: setting(Type.Boolean(), {
    text: "Offers `exec_command` and `write_stdin` instead of single commands.",
    default: false,
    project: true,
  }),
  experimental_use_unified_exec_tool: setting(Type.Boolean(), {
    text: "An older name of `features.unified_exec`.",
    project: true,
    alias: "features.unified_exec",
  }),
  experimental_use_freeform_apply_patch: setting(Type.Boolean(), {
    text: "An older name of `features.apply_patch_freeform`.",
    since: "0.98",
    project: true,
    alias: "features.apply_patch_freeform",
  }),
  project_doc_max_bytes: setting(Count(), {
    text: "How many bytes of AGENTS.md files the model is shown; 0 shows none.",
    default: 32_768,
    project: true,
  }),
  project_doc_fallback_filenames: setting(TextList, {
    text: "Names of files to read in a folder without AGENTS.md.",
    since: "0.98",
    default: [],
    project: true,
  }),
};
