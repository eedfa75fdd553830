export type { McpBehavior } from "../compat/index.js";
export type {
  AnswerElicitation,
  McpElicitation,
  McpElicitationAnswer,
  McpProgress,
  ServerFacts,
} from "./client.js";
export type { McpServerDescription, McpStartup } from "./describe-servers.js";
export { boundedFetch, type FetchLike, nodeFetch } from "./http/fetch.js";
export { type McpModelOutput, toModelOutput } from "./model-output.js";
export {
  loginMcpServer,
  logoutMcpServer,
  type McpAuthStatus,
  type McpLogin,
  type McpLoginOptions,
  mcpAuthStatus,
  startMcpLogin,
} from "./oauth/login.js";
export {
  fileTokenStore,
  type LoginKey,
  type StoredLogin,
  type TokenStore,
  userTokenStore,
} from "./oauth/token-store.js";
export { McpServerPool, type McpServerPoolOptions } from "./pool.js";
export type { ResourceContents, ResourceKind } from "./requests.js";
export {
  type HttpServerConfig,
  isToolAllowed,
  type McpServerConfig,
  type McpServerConfigs,
  type StdioServerConfig,
} from "./server-config.js";
export {
  McpServers,
  type McpServersOptions,
  startMcpServers,
} from "./servers.js";
export { startupErrorText } from "./startup-error.js";
export type { ServerProcess, StartConfined } from "./stdio/process.js";
export type { McpServerTool, ToolNameForm } from "./tool-names.js";
export { type NamedTool, type QualifiedName, qualifyNames } from "./tool-names.js";
export type { ReducedObject, ReducedSchema } from "./tool-spec.js";
export { toNamespaceSpec, toToolSpec } from "./tool-spec.js";
