export { builtInProfiles } from "./check/permission-profile.js";
export { ignoredText } from "./check/report.js";
export { assertEnforceable, type Unenforced } from "./check/unenforced.js";
export type { Config } from "./config.js";
export {
  type ConfigDialect,
  type ConfigDialectName,
  configDialects,
} from "./dialect.js";
export {
  type FeatureFacts,
  featureFacts,
  featureNames,
  findFeature,
  isFeatureOn,
} from "./feature-names.js";
export { codexHome, type Environment, userHome } from "./home.js";
export { readInstallationId } from "./installation-id.js";
export { type ConfigLayer, fileOf, type LayerSource } from "./layers/layer.js";
export { itemOriginsOf, mergeLayers, originsOf } from "./layers/merge.js";
export type { ReadLayers } from "./layers/read-layers.js";
export { shownLayers } from "./layers/shown.js";
export { versionOf } from "./layers/version.js";
export { type ConfigSources, loadConfig, readConfigLayers } from "./load.js";
export { type Override, parseOverride, parseTomlValue } from "./overrides.js";
export { type StartableServers, startableServers } from "./project/known-servers.js";
export { mainWorkTree } from "./project/project-root.js";
export { type TrustLevel, trustLevelOf } from "./project/trust.js";
export { mayBring, projectContents } from "./project/trust-gate.js";
export type { McpServer, McpTransport } from "./resolve/mcp-servers.js";
export type { ShellEnvironmentPolicy } from "./resolve/shell-environment.js";
export {
  type WebSearchContext,
  type WebSearchMode,
  webSearchForTurn,
} from "./resolve/web-search.js";
export type { ConfigToml } from "./schema/config-toml.js";
export type { McpServerToml } from "./schema/mcp-server.js";
export { parseKeyPath, writeKey } from "./toml/key.js";
export { readUserSavedConfig } from "./user-saved-config.js";
export {
  type ConfigEdit,
  type EditOptions,
  type EditResult,
  editConfig,
} from "./write/edit-config.js";
export { removeMcpServer, saveMcpServer } from "./write/mcp-servers.js";
export { editSettings, type SettingsTarget, saveModel } from "./write/settings.js";
export { type SkillSelector, setSkill } from "./write/skills.js";
export { editUserConfig } from "./write/user-config.js";
