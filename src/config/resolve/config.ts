import type { ModelProvider } from "../../protocol/model-provider.js";
import type {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
  Verbosity,
} from "../../protocol/types.js";
import type { Environment } from "../layers/home.js";
import type { ConfigLayer } from "../layers/layer.js";
import type { Unenforced } from "../layers/unenforced.js";
import type { TrustLevel } from "../project/trust.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { McpServer } from "./mcp-servers.js";
import type { ShellEnvironmentPolicy } from "./policies.js";
import type { WebSearchMode } from "./tools.js";

/** The settings a session starts from, with every default filled in. */
export interface Config extends ModelConfig, PolicyConfig, ToolConfig, InterfaceConfig {
  /** The folder of the user's settings and conversations. */
  home: string;
  cwd: string;
  /** The profile in use. */
  profile: string | undefined;
  /** What the user thinks of the project around `cwd`. */
  trust_level: TrustLevel | undefined;
  /** Trust by path, as the user and the machine have it. */
  projects: ReadonlyMap<string, TrustLevel>;
  project_root_markers: readonly string[];
  /** Settings that did not count, and why. */
  warnings: readonly string[];
  /** Keys that mean nothing here, where each stands and why: told in one message, `ignoredText`. */
  ignored: readonly string[];
  /** Settings that forbid something and are not enforced: no session starts, see `assertEnforceable`. */
  unenforced: readonly Unenforced[];
  /** All that was read, from the weakest to the strongest. */
  layers: readonly ConfigLayer[];
}

/** Which model is asked, and what it is told. */
export interface ModelConfig {
  model: string;
  review_model: string;
  provider: ModelProvider;
  providers: ReadonlyMap<string, ModelProvider>;
  oss_provider: "ollama" | "lmstudio" | undefined;
  chatgpt_base_url: string;
  model_context_window: number | undefined;
  model_max_output_tokens: number | undefined;
  model_auto_compact_token_limit: number | undefined;
  model_reasoning_effort: ReasoningEffort | undefined;
  model_reasoning_summary: ReasoningSummary;
  model_verbosity: Verbosity | undefined;
  model_supports_reasoning_summaries: boolean | undefined;
  model_reasoning_summary_format: "none" | "experimental" | undefined;
  personality: Personality | undefined;
  instructions: string | undefined;
  developer_instructions: string | undefined;
  /** Replaces the base prompt of the model's family. */
  base_instructions: string | undefined;
  compact_prompt: string | undefined;
}

/** What commands may do. */
export interface PolicyConfig {
  approval_policy: AskForApproval;
  approvals_reviewer: ApprovalsReviewer;
  sandbox_policy: SandboxPolicy;
  /** Neither policy was set by anyone: a user interface may offer to choose. */
  policies_are_defaults: boolean;
  shell_environment_policy: ShellEnvironmentPolicy;
}

/** What the model can use. */
export interface ToolConfig {
  /** Absent: as the version does. */
  include_plan_tool: boolean | undefined;
  /** False if the client of the session has no way to answer questions of the model. */
  can_answer_questions: boolean;
  include_apply_patch_tool: boolean;
  tools: { web_search: boolean; view_image: boolean; exec_command: boolean };
  /** What the user has said; see `webSearchForTurn` for what a turn does. */
  web_search: WebSearchMode | undefined;
  features: ReadonlyMap<string, boolean>;
  mcp_servers: ReadonlyMap<string, McpServer>;
  mcp_oauth_credentials_store: "auto" | "file" | "keyring";
  mcp_oauth_callback_port: number | undefined;
  tool_output_token_limit: number | undefined;
  project_doc_max_bytes: number;
  project_doc_fallback_filenames: readonly string[];
  /** Skills that are turned on or off, by the path of their SKILL.md. */
  skills: ReadonlyMap<string, boolean>;
  /** The same by the name of the skill. */
  skills_by_name: ReadonlyMap<string, boolean>;
  agents: { max_threads: number; max_depth: number | undefined };
  ghost_snapshot: GhostSnapshotConfig;
}

/** What snapshots of the work tree leave out. */
interface GhostSnapshotConfig {
  ignore_large_untracked_files: number | undefined;
  ignore_large_untracked_dirs: number | undefined;
  disable_warnings: boolean;
}

/** What the user sees, and what is kept. */
export interface InterfaceConfig {
  hide_agent_reasoning: boolean;
  show_raw_agent_reasoning: boolean;
  file_opener: "vscode" | "vscode-insiders" | "windsurf" | "cursor" | "none";
  notify: readonly string[] | undefined;
  tui: TuiConfig;
  disable_paste_burst: boolean;
  history: { persistence: "save-all" | "none"; max_bytes: number | undefined };
  log_dir: string;
  hide_full_access_warning: boolean;
  forced_login_method: "chatgpt" | "api" | undefined;
  forced_chatgpt_workspace_id: string | undefined;
  cli_auth_credentials_store: "file" | "keyring" | "auto" | "ephemeral";
}

/** The terminal interface. */
export interface TuiConfig {
  /** Of everything, of nothing, or of these events. */
  notifications: boolean | readonly string[];
  notification_method: "auto" | "osc9" | "bel";
  animations: boolean;
  show_tooltips: boolean;
  experimental_mode: "plan" | "default" | undefined;
  alternate_screen: "auto" | "always" | "never";
  theme: string | undefined;
  status_line: readonly string[] | undefined;
}

/** What settings are resolved from besides themselves. */
export interface ResolveContext {
  env: Environment;
  home: string;
  behavior: ConfigBehavior;
  trust: TrustLevel | undefined;
  /** Folders that can be written for this session only. */
  writableRoots: readonly string[];
  /** The settings without those of projects. */
  ownValues: ConfigToml;
  /** Where a setting stands, as the user is told. */
  placeOf(path: readonly string[]): string;
  warn(message: string): void;
}
