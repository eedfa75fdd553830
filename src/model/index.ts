export type { Environment } from "./choose-auth.js";
export { type ModelFamily, modelFamily } from "./families.js";
export { HttpTransport } from "./http.js";
export type { ModelPreset } from "./presets.js";
export { isAzure } from "./request-url.js";
export { ResponsesClient, type ResponsesClientOptions } from "./responses-client.js";
export { readSystemInfo, type SystemInfo } from "./system-info.js";
export type { ModelAnswer, ModelRequest, ModelTransport } from "./transport.js";
export type {
  ModelAuth,
  ModelAuthSource,
  ModelClient,
  ModelFailure,
  ModelProvider,
  Prompt,
  StreamItem,
} from "./types.js";
export {
  cleanUserAgent,
  givenOriginator,
  originatorOf,
  type UserAgentParts,
  userAgent,
} from "./user-agent.js";
