import Type, { type Static } from "typebox";
import { absent, each, given, retired } from "./ignored.js";
import { setting, TextList } from "./setting.js";

/** How a value of an MCP server is compared. */
const ValueMatcher = Type.Object(
  {
    match: setting(Type.Enum(["exact", "prefix", "regex"]), { text: "Kind of comparison." }),
    value: setting(Type.String(), { text: "Text for `exact` and `prefix`." }),
    expression: setting(Type.String(), {
      text: "Regular expression for `regex`; the whole value must match.",
    }),
  },
  { $id: "McpValueMatcher", description: "Comparison of an argument or a URL." },
);
export interface ValueMatcher extends Static<typeof ValueMatcher> {}

const CommandMatcher = Type.Object(
  {
    executable: setting(Type.String(), { text: "The command, compared exactly." }),
    args: setting(Type.Array(ValueMatcher), { text: "One comparison for each argument." }),
  },
  { $id: "McpCommandMatcher", description: "A command with its arguments." },
);
export interface CommandMatcher extends Static<typeof CommandMatcher> {}

const McpIdentity = Type.Object(
  {
    command: setting(Type.Union([Type.String(), CommandMatcher]), {
      text: "Command of the server: exact, or with a comparison for each argument.",
    }),
    url: setting(Type.Union([Type.String(), ValueMatcher]), {
      text: "URL of the server: exact, or a comparison.",
    }),
  },
  { $id: "McpIdentity", description: "Identity of an MCP server: `command` or `url`." },
);
export interface McpIdentity extends Static<typeof McpIdentity> {}

const McpServerRequirement = Type.Object(
  { identity: setting(McpIdentity, { text: "The program or URL that the name stands for." }) },
  { $id: "McpServerRequirement", description: "An MCP server that may be started." },
);

const PatternToken = Type.Object(
  {
    token: setting(Type.String(), { text: "The word at this position." }),
    any_of: setting(TextList, { text: "Accepted words at this position." }),
  },
  { $id: "RulePatternToken", description: "A position of a prefix: `token` or `any_of`." },
);

const PrefixRuleToml = Type.Object(
  {
    pattern: setting(Type.Array(PatternToken), { text: "First words of the commands." }),
    decision: setting(Type.Enum(["prompt", "forbidden"]), {
      text: "`forbidden`, or `prompt` for an approval. No rule of an administrator allows commands.",
    }),
    justification: setting(Type.String(), { text: "Reason, shown to the user and the model." }),
  },
  { $id: "PrefixRuleToml", description: "A rule for commands with a given prefix." },
);
export interface PrefixRuleToml extends Static<typeof PrefixRuleToml> {}

const RulesToml = Type.Object(
  { prefix_rules: setting(Type.Array(PrefixRuleToml), { text: "Rules for commands." }) },
  { $id: "RequiredRulesToml", description: "Rules that no other rule loosens." },
);

/** Keys of requirements.toml that are enforced. */
const enforcedKeys = {
  allowed_sandbox_modes: setting(
    Type.Array(
      Type.Enum(["read-only", "workspace-write", "danger-full-access", "external-sandbox"]),
    ),
    { text: "Sandbox modes that may be used; must include `read-only`." },
  ),
  allowed_approval_policies: setting(
    Type.Array(Type.Enum(["untrusted", "on-failure", "on-request", "never"])),
    { text: "Approval policies that may be used." },
  ),
  allowed_approvals_reviewers: setting(
    Type.Array(Type.Enum(["user", "auto_review", "guardian_subagent"])),
    {
      text: "Reviewers of approval requests; must include `user`.",
    },
  ),
  allowed_permission_profiles: setting(Type.Record(Type.String(), Type.Boolean()), {
    text: "Permission profiles by name: true permits one; all others are refused.",
  }),
  default_permissions: setting(Type.String(), {
    text: "Profile to use instead of one that is not permitted, or if none is selected.",
  }),
  permissions: setting(Type.Record(Type.String(), Type.Unknown()), {
    text:
      "Permission profiles, as in config.toml; a profile of the user with the same name is " +
      "replaced. `permissions.filesystem.deny_read` lists paths and globs that nothing may read.",
  }),
  allowed_web_search_modes: setting(
    Type.Array(Type.Enum(["disabled", "cached", "indexed", "live"])),
    { text: "Web search modes that may be used; `disabled` always may." },
  ),
  mcp_servers: setting(Type.Record(Type.String(), McpServerRequirement), {
    text: "MCP servers that may be started, by name and identity; no others are.",
  }),
  features: setting(Type.Record(Type.String(), Type.Boolean()), {
    text: "Feature flags with a fixed value.",
  }),
  feature_requirements: setting(Type.Record(Type.String(), Type.Boolean()), {
    text: "Other name of `features`.",
  }),
  guardian_policy_config: setting(Type.String(), {
    text: "Rules for the automatic reviewer; they replace `auto_review.policy` of the user.",
  }),
  rules: setting(RulesToml, { text: "Rules for commands." }),
  hooks: setting(Type.Record(Type.String(), Type.Unknown()), {
    text: "Managed hooks, as in config.toml, and `managed_dir`; they need no trust.",
  }),
  allow_managed_hooks_only: setting(Type.Boolean(), {
    text: "If true, hooks of users and projects do not run.",
  }),
  on_failure: setting(Type.Enum(["allow", "deny"]), {
    text: "`deny`: a hook that fails blocks, whichever file declares it.",
  }),
  additional_developer_instructions: setting(Type.String(), {
    text: "Instructions for the model, after those of the user.",
  }),
  allowed_login_methods: setting(Type.Array(Type.Enum(["chatgpt", "api"])), {
    text: "Login methods that may be used.",
  }),
  cli_auth_credentials_store: setting(Type.Enum(["file", "keyring", "auto", "ephemeral"]), {
    text: "Storage of the login.",
  }),
  chatgpt_base_url: setting(Type.String(), { text: "Base URL of ChatGPT." }),
  log_dir: setting(Type.String(), { text: "Directory of log files.", path: true }),
};

/** Keys that restrict features that do not exist here, so that they always hold. */
const vacuousKeys = {
  ...each(
    [
      "allow_appshots",
      "allow_browser_and_computer_use",
      "allow_remote_control",
      "apps",
      "browser_use",
      "computer_use",
      "feedback",
      "in_app_browser",
      "marketplaces",
      "plugins",
      "windows",
    ],
    retired,
  ),
  check_for_update_on_startup: given(false),
  allow_login_shell: given(true),
};

/** Keys of the reference that are not enforced here: a file with one of them is refused. */
const unenforcedKeys = each(
  [
    "allowed_chatgpt_workspaces",
    "application",
    "auto_review",
    "enforce_residency",
    "experimental_network",
    "model_catalog_json",
    "model_provider",
    "model_providers",
    "models",
    "otel",
    "remote_sandbox_config",
    "sqlite_home",
  ],
  absent,
);

export const RequirementsToml = Type.Object(
  { ...enforcedKeys, ...vacuousKeys, ...unenforcedKeys },
  { $id: "RequirementsToml", description: "The file requirements.toml of the administrator." },
);
export interface RequirementsToml extends Static<typeof RequirementsToml> {}
