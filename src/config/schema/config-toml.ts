import Type, { type Static } from "typebox";
import { budgetKeys } from "./budget.js";
import { checkpointKeys } from "./checkpoints.js";
import { featureKeys } from "./features.js";
import { fleetKeys } from "./fleet.js";
import { ignoredKeys } from "./ignored.js";
import { interfaceKeys } from "./interface.js";
import { mcpKeys } from "./mcp-server.js";
import { instructionKeys, modelKeys } from "./model.js";
import { otelKeys } from "./otel.js";
import { policyKeys } from "./policy.js";
import { profileKeys } from "./profile.js";
import { providerKeys } from "./provider.js";
import { setting, TextList } from "./setting.js";
import { toolKeys } from "./tools.js";

/** Login of the user. */
const accountKeys = {
  forced_login_method: setting(Type.Enum(["chatgpt", "api"]), {
    text: "Only allowed login method.",
    since: "0.98",
  }),
  forced_chatgpt_workspace_id: setting(Type.String(), {
    text: "Only allowed ChatGPT workspace. Has no effect.",
    since: "0.98",
    ignored: [],
  }),
  cli_auth_credentials_store: setting(Type.Enum(["file", "keyring", "auto", "ephemeral"]), {
    text: "Storage of the login.",
    since: "0.98",
    default: "file",
  }),
};

const ProjectToml = Type.Object(
  {
    trust_level: setting(Type.Enum(["trusted", "untrusted"]), {
      text: "Trust level; the config of a project is read only if it is trusted.",
    }),
  },
  { $id: "ProjectToml", description: "A directory with a trust level." },
);

/** Trust in projects, and the marker of a project's root. */
const projectKeys = {
  projects: setting(Type.Record(Type.String(), ProjectToml), {
    text: "Trust by path: of the working directory, the project root or the main git work tree.",
  }),
  project_root_markers: setting(TextList, {
    text: "Files that mark the root of a project; with none, the working directory is the root.",
    since: "0.98",
    default: [".git"],
  }),
};

/** Keys of config.toml by subject, in the order of the docs. */
export const subjects = {
  Model: modelKeys,
  Providers: providerKeys,
  Budgets: budgetKeys,
  Instructions: instructionKeys,
  Policies: policyKeys,
  Profiles: profileKeys,
  Projects: projectKeys,
  Tools: toolKeys,
  Checkpoints: checkpointKeys,
  Features: featureKeys,
  "MCP servers": mcpKeys,
  Interface: interfaceKeys,
  Telemetry: otelKeys,
  Fleet: fleetKeys,
  Account: accountKeys,
  "Without effect": ignoredKeys,
};

export const ConfigToml = Type.Object(
  {
    ...modelKeys,
    ...providerKeys,
    ...budgetKeys,
    ...instructionKeys,
    ...policyKeys,
    ...profileKeys,
    ...projectKeys,
    ...toolKeys,
    ...checkpointKeys,
    ...featureKeys,
    ...mcpKeys,
    ...interfaceKeys,
    ...otelKeys,
    ...fleetKeys,
    ...accountKeys,
    ...ignoredKeys,
  },
  { $id: "ConfigToml", description: "Settings of the user in `config.toml`." },
);
export interface ConfigToml extends Static<typeof ConfigToml> {}
