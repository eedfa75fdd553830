export { backoffMs } from "./backoff.js";
export type { Cassette, CassetteHost } from "./cassette/cassette.js";
export { closedEarly } from "./failure.js";
export { modelFamily } from "./families.js";
export { HttpTransport } from "./http.js";
export {
  findLocalServers,
  type LocalServer,
  listModels,
  noModelText,
  preferredModel,
} from "./local-servers.js";
export {
  describeEffort,
  type ModelPreset,
  modelPresets,
  presetOf,
  requestedEffort,
} from "./presets.js";
export { type ConfiguredPrices, costOf, type ModelPrice, priceOf } from "./prices.js";
export { chooseAuth, type Environment, isAzure, requestUrl } from "./request-target.js";
export { ResponsesClient, type ResponsesClientOptions } from "./responses-client.js";
export type { ModelAnswer, ModelRequest, ModelTransport } from "./transport.js";
export type {
  ModelAuth,
  ModelAuthSource,
  ModelClient,
  ModelFailure,
  ModelFamily,
  ModelProvider,
  Prompt,
  StreamItem,
} from "./types.js";
export { type GroupedUsage, groupUsage, type UsageRow } from "./usage-costs.js";
export {
  cleanUserAgent,
  givenOriginator,
  originatorOf,
  readSystemInfo,
  type SystemInfo,
  type UserAgentParts,
  userAgent,
} from "./user-agent.js";
