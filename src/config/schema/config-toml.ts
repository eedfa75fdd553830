import Type, { type Static } from "typebox";
import { featureKeys } from "./features.js";
import { ignoredKeys } from "./ignored.js";
import { interfaceKeys } from "./interface.js";
import { mcpKeys } from "./mcp-server.js";
import { instructionKeys, modelKeys } from "./model.js";
import { policyKeys } from "./policy.js";
import { profileKeys } from "./profile.js";
import { providerKeys } from "./provider.js";
import { setting, TextList } from "./setting.js";
import { toolKeys } from "./tools.js";

/** Login of the user. */
const accountKeys = {
  forced_login_method: setting(Type.Enum(["chatgpt", "api"]), {
    text: "The only way to log in.",
    since: "0.98",
  }),
  forced_chatgpt_workspace_id: setting(Type.String(), {
    text: "The only ChatGPT workspace that can be logged in to. Has no effect here.",
    since: "0.98",
    ignored: [],
  }),
  cli_auth_credentials_store: setting(Type.Enum(["file", "keyring", "auto", "ephemeral"]), {
    text: "Where the login is kept.",
    since: "0.98",
    default: "file",
  }),
};

const ProjectToml = Type.Object(
  {
    trust_level: setting(Type.Enum(["trusted", "untrusted"]), {
      text: "Whether the user trusts what is in the folder: its settings are read only then.",
    }),
  },
  { $id: "ProjectToml", description: "A folder the user has decided about." },
);

/** Trust in projects, and the marker of a project's root. */
const projectKeys = {
  projects: setting(Type.Record(Type.String(), ProjectToml), {
    text: "Folders by path: the working folder, its project's or its main git work tree's.",
  }),
  project_root_markers: setting(TextList, {
    text: "What lies in the topmost folder of a project; with none, the working folder is the project.",
    since: "0.98",
    default: [".git"],
  }),
};

/** The keys of the file by subject, in the order the documentation tells them. */
export const subjects = {
  Model: modelKeys,
  Providers: providerKeys,
  Instructions: instructionKeys,
  Policies: policyKeys,
  Profiles: profileKeys,
  Projects: projectKeys,
  Tools: toolKeys,
  Features: featureKeys,
  "MCP servers": mcpKeys,
  Interface: interfaceKeys,
  Account: accountKeys,
  "Without effect": ignoredKeys,
};

export const ConfigToml = Type.Object(
  {
    ...modelKeys,
    ...providerKeys,
    ...instructionKeys,
    ...policyKeys,
    ...profileKeys,
    ...projectKeys,
    ...toolKeys,
    ...featureKeys,
    ...mcpKeys,
    ...interfaceKeys,
    ...accountKeys,
    ...ignoredKeys,
  },
  { $id: "ConfigToml", description: "The user's settings, as they stand in `config.toml`." },
);
export interface ConfigToml extends Static<typeof ConfigToml> {}
