export type { McpProgress, ServerFacts } from "./client.js";
export type { McpServerDescription } from "./describe-servers.js";
export type { McpBehavior, ToolNameForm } from "./dialect.js";
export type { AnswerElicitation, McpElicitation, McpElicitationAnswer } from "./elicitation.js";
export type { FetchLike } from "./http/node-fetch.js";
export { type McpModelOutput, toModelOutput } from "./model-output.js";
export { type McpAuthStatus, mcpAuthStatus } from "./oauth/auth-status.js";
export {
  loginMcpServer,
  logoutMcpServer,
  type McpLogin,
  type McpLoginOptions,
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
export type { ReducedObject, ReducedSchema } from "./reduce-schema.js";
export type { ResourceKind } from "./resources.js";
export {
  type HttpServerConfig,
  isToolAllowed,
  type McpServerConfig,
  type McpServerConfigs,
  type StdioServerConfig,
} from "./server-config.js";
export type { McpServerTool } from "./server-tools.js";
export {
  type McpCallOptions,
  McpServers,
  type McpServersOptions,
  type McpStartup,
  startMcpServers,
} from "./servers.js";
export { startupErrorText } from "./startup-error.js";
export { type NamedTool, type QualifiedName, qualifyNames } from "./tool-names.js";
export { toNamespaceSpec, toToolSpec } from "./tool-spec.js";
