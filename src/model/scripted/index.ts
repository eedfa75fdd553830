export { checkScript } from "./check-script.js";
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
export type { ScriptedRequest } from "./scripted-client.js";
export {
  type ScriptedClient,
  type ScriptedClientOptions,
  scriptedClient,
  scriptedProvider,
} from "./scripted-client.js";
export {
  listenScriptedModel,
  type RecordedRequest,
  type ScriptedConfigOptions,
  type ScriptedServer,
  type ScriptedServerOptions,
  scriptedConfig,
  unguarded,
} from "./scripted-server.js";
