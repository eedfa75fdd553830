export type { AgentRole } from "./agents/roles.js";
export { ignoredText } from "./check/report.js";
export {
  type FeatureFacts,
  featureFacts,
  featureNames,
  findFeature,
  isFeatureOn,
} from "./feature-names.js";
export { shownLayers } from "./layers/effective.js";
export { codexHome, type Environment, readInstallationId, userHome } from "./layers/home.js";
export {
  type ConfigLayer,
  fileOf,
  itemOriginsOf,
  type LayerSource,
  mergeLayers,
  originsOf,
  versionOf,
} from "./layers/layer.js";
export { type Override, parseOverride, parseTomlValue } from "./layers/overrides.js";
export type { ReadLayers } from "./layers/read-layers.js";
export { type ConfigSources, loadConfig, loadRequirements, readConfigLayers } from "./load.js";
export { intersectRules } from "./permissions/intersect.js";
export { mainWorkTree, type TrustLevel, trustLevelOf } from "./project/trust.js";
export { mayBring, projectContents } from "./project/trust-gate.js";
export type { AskedPolicies, RequiredRule, Requirements } from "./requirements/requirements.js";
export type { Config } from "./resolve/config.js";
export { type StartableServers, startableServers } from "./resolve/known-servers.js";
export type { McpServer, McpTransport } from "./resolve/mcp-servers.js";
export { type ShellEnvironmentPolicy, withSandboxPolicy } from "./resolve/policies.js";
export type { WebSearchMode } from "./resolve/tools.js";
export {
  type ConfigBehavior,
  type ConfigBehaviorName,
  configBehaviors,
} from "./schema/behavior.js";
export type { ConfigToml } from "./schema/config-toml.js";
export { configFlags } from "./schema/flags.generated.js";
export type { FleetToml } from "./schema/fleet.js";
export type { McpServerToml } from "./schema/mcp-server.js";
export type { OtelToml } from "./schema/otel.js";
export { parseKeyPath, writeKey } from "./toml/key.js";
export { readUserSavedConfig } from "./user-saved-config.js";
export {
  type ConfigEdit,
  type EditOptions,
  type EditResult,
  editConfig,
} from "./write/edit-config.js";
export {
  editSettings,
  editUserConfig,
  removeMcpServer,
  type SettingsTarget,
  type SkillSelector,
  saveMcpServer,
  saveModel,
  setSkill,
} from "./write/user-file.js";
