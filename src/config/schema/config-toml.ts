import Type, { type Static } from "typebox";
import { accountKeys } from "./account.js";
import { featureKeys } from "./features.js";
import { ignoredKeys } from "./ignored.js";
import { interfaceKeys } from "./interface.js";
import { mcpKeys } from "./mcp-server.js";
import { instructionKeys, modelKeys } from "./model.js";
import { policyKeys } from "./policy.js";
import { profileKeys } from "./profile.js";
import { projectKeys } from "./project.js";
import { providerKeys } from "./provider.js";
import { toolKeys } from "./tools.js";

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
