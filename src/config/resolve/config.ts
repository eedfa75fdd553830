import type { ModelProvider } from "../../protocol/config-types.js";
import type { HookSource, HookStates } from "../../protocol/hook-source.js";
import type { PermissionRules } from "../../protocol/permission-rules.js";
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
import type { TrustLevel } from "../project/trust.js";
import type { Requirements } from "../requirements/requirements.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import type { ConfigToml } from "../schema/config-toml.js";
import type { defaults } from "../schema/defaults.generated.js";
import type { AgentRoleToml } from "../schema/tools.js";
import type { McpServer } from "./mcp-servers.js";
import type { ShellEnvironmentPolicy } from "./policies.js";
import type { WebSearchMode } from "./tools.js";

/** Resolved config of a session, with defaults. */
export interface Config extends ModelConfig, PolicyConfig, ToolConfig, InterfaceConfig {
  /**
   * Merged values of all layers with the defaults of top-level keys, as in config.toml.
   *
   * A key that needs no resolving is read here and is not repeated below.
   */
  settings: Settings;
  /** Directory of config and sessions. */
  home: string;
  /** The working directory of the session. */
  cwd: string;
  /** Selected profile. */
  profile: string | undefined;
  /** Trust level of the project around `cwd`. */
  trust_level: TrustLevel | undefined;
  /** Trust levels by path. */
  projects: ReadonlyMap<string, TrustLevel>;
  /** Files and folders that mark the root of a project. */
  project_root_markers: readonly string[];
  /** Warnings about values that were refused. */
  warnings: readonly string[];
  /** Restrictions of the administrator, which this config follows already. */
  requirements: Requirements | undefined;
  /** Warnings about values that the administrator does not allow, and that were replaced. */
  constrained: readonly string[];
  /** Keys without effect, with position and reason; `ignoredText` formats them. */
  ignored: readonly string[];
  /** Files and tables with hooks, unless `features.hooks` is false; `loadHooks` checks them. */
  hooks: readonly HookSource[];
  /** Trust in hooks by key, from the user's own files only. */
  hook_states: HookStates;
  /** Layers in ascending precedence. */
  layers: readonly ConfigLayer[];
}

/** Values of config.toml with defaults. */
export type Settings = ConfigToml &
  Required<Pick<ConfigToml, keyof ConfigToml & keyof typeof defaults.ConfigToml>>;

/** Model, provider and instructions. */
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
  /** Replacement for the base prompt of the model family. */
  base_instructions: string | undefined;
  compact_prompt: string | undefined;
}

/** Sandbox, approvals and environment of commands. */
export interface PolicyConfig {
  approval_policy: AskForApproval;
  approvals_reviewer: ApprovalsReviewer;
  /** With `permissions`, the policy nearest to them. */
  sandbox_policy: SandboxPolicy;
  /** Rules of the permission profile; absent for a plain sandbox mode. */
  permissions?: PermissionRules;
  /** True if neither policy is set: a user interface may offer a choice. */
  policies_are_defaults: boolean;
  shell_environment_policy: ShellEnvironmentPolicy;
}

/** Tools and their limits. */
export interface ToolConfig {
  /** Undefined: default of the era. */
  include_plan_tool: boolean | undefined;
  /** False if the client cannot answer questions of the model. */
  can_answer_questions: boolean;
  include_apply_patch_tool: boolean;
  tools: {
    web_search: boolean;
    view_image: boolean;
    exec_command: boolean;
    /** Most tools of MCP servers that are offered in full; undefined: default of the era. */
    search_above: number | undefined;
    /** Limits of a script of `exec`. */
    script_seconds: number;
    script_memory_mb: number;
  };
  /** Scripts that call tools, besides the features that enable them. */
  code_mode: {
    yieldMs: number;
    /** Namespaces that only the model itself calls. */
    directNamespaces: readonly string[];
    excludedNamespaces: readonly string[];
  };
  /** Explicit mode of the user; `webSearchForTurn` returns that of a turn. */
  web_search: WebSearchMode | undefined;
  features: ReadonlyMap<string, boolean>;
  mcp_servers: ReadonlyMap<string, McpServer>;
  mcp_oauth_credentials_store: "auto" | "file" | "keyring";
  mcp_oauth_callback_port: number | undefined;
  tool_output_token_limit: number | undefined;
  project_doc_max_bytes: number;
  project_doc_fallback_filenames: readonly string[];
  /** Enabled state of skills by the path of SKILL.md. */
  skills: ReadonlyMap<string, boolean>;
  /** Enabled state of skills by name. */
  skills_by_name: ReadonlyMap<string, boolean>;
  agents: {
    max_threads: number;
    /** Helper agents that may work at the same time. */
    at_once: number;
    max_depth: number | undefined;
    /** Roles of the settings by name. */
    roles: ReadonlyMap<string, AgentRoleToml>;
  };
  checkpoints: CheckpointConfig;
}

/** Storage of the files that turns change. */
interface CheckpointConfig {
  /** Undefined if the settings do not say. */
  enabled: boolean | undefined;
  /** Maximum size of the store. */
  maxBytes: number;
  /** Larger files are not stored. */
  maxFileBytes: number | undefined;
  /** Larger folders are left out. */
  maxFolderFiles: number | undefined;
  /** Disables warnings about files that are not stored. */
  isQuiet: boolean;
}

/** User interface, history and login. */
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

/** Terminal UI. */
export interface TuiConfig {
  /** All events, none, or a list of events. */
  notifications: boolean | readonly string[];
  notification_method: "auto" | "osc9" | "bel";
  animations: boolean;
  show_tooltips: boolean;
  experimental_mode: "plan" | "default" | undefined;
  alternate_screen: "auto" | "always" | "never";
  theme: string | undefined;
  status_line: readonly string[] | undefined;
}

/** Context for resolving values. */
export interface ResolveContext {
  env: Environment;
  home: string;
  behavior: ConfigBehavior;
  trust: TrustLevel | undefined;
  /** Writable directories of this session. */
  writableRoots: readonly string[];
  /** Merged values without those of projects. */
  ownValues: ConfigToml;
  /** Position of a key, for messages. */
  placeOf(path: readonly string[]): string;
  warn(message: string): void;
}
