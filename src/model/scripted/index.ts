export { checkScript } from "./check-script.js";
export { type ScriptedConfigOptions, scriptedConfig, unguarded } from "./config-text.js";
export type {
  Answer,
  CallStep,
  CompletedStep,
  CustomCallStep,
  LocalShellStep,
  MessageStep,
  RawEvent,
  ReasoningStep,
  RecordedAnswer,
  Script,
  ScriptObject,
  Step,
  WebSearchStep,
} from "./script.js";
export {
  type ScriptedClient,
  type ScriptedClientOptions,
  scriptedClient,
  scriptedProvider,
} from "./scripted-client.js";
export {
  listenScriptedModel,
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from "./scripted-server.js";
export type { ScriptedRequest } from "./scripted-transport.js";
