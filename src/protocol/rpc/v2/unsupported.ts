import type { Version } from "../../schema.js";

/** Methods of the reference that are refused, with the reason in the error message. */
export const unsupported: Readonly<Record<string, string>> = {
  ...because("There are no realtime voice conversations.", [
    "thread/realtime/start",
    "thread/realtime/appendAudio",
    "thread/realtime/appendText",
    "thread/realtime/appendSpeech",
    "thread/realtime/stop",
    "thread/realtime/listVoices",
  ]),
  ...because("There are no plugins; use skills and MCP servers.", [
    "marketplace/add",
    "marketplace/remove",
    "marketplace/upgrade",
    "plugin/search",
    "plugin/install",
    "plugin/uninstall",
    "plugin/reconcile",
    "plugin/read",
    "plugin/skill/read",
    "plugin/share/save",
    "plugin/share/updateTargets",
    "plugin/share/checkout",
    "plugin/share/delete",
  ]),
  ...because("There are no apps of the vendor's service.", ["app/read"]),
  ...because("Skills are loaded from local directories only.", [
    "skills/remote/list",
    "skills/remote/export",
  ]),
  ...because("There is no remote control; connect to the server directly.", [
    "remoteControl/enable",
    "remoteControl/disable",
    "remoteControl/pairing/start",
    "remoteControl/pairing/status",
    "remoteControl/client/list",
    "remoteControl/client/revoke",
  ]),
  ...because("There are no remote environments; commands run on this machine.", [
    "environment/add",
  ]),
  ...because("There is no Windows sandbox.", ["windowsSandbox/setupStart"]),
  ...because("There is no feedback service; data is sent to the model provider only.", [
    "feedback/upload",
    "feedback/save",
  ]),
  ...because("Configure accounts of other clouds and gateways in config.toml.", [
    "account/bedrock/discover",
    "account/bedrock/setup",
    "account/gcp/setup",
    "account/gatewayOAuth/login",
    "account/gatewayOAuth/cancel",
  ]),
  ...because("The vendor account cannot be managed here.", [
    "accountSession/switch",
    "account/usage/read",
    "account/rateLimitResetCredit/consume",
    "account/sendAddCreditsNudgeEmail",
    "userVerification/enroll",
    "userVerification/delete",
    "userVerification/verify",
    "userVerification/cancel",
  ]),
  ...because("The reference does not implement predictions either; use `thread/sample`.", [
    "thread/prediction/request",
  ]),
  ...because("Rollouts are stored as plain text only, so that all versions can read them.", [
    "rollout/compress",
  ]),
  ...because("There are no event streams of MCP servers.", [
    "mcpServer/event/stream/start",
    "mcpServer/event/stream/stop",
  ]),
  ...because("Use `thread/fork`.", ["forkConversation"]),
};

/**
 * Methods and params (`method.param`) without a declaration here that require
 * `capabilities.experimentalApi`, with the first version that did: its clients get that error first.
 */
export const unsupportedExperimental: Readonly<Record<string, Version>> = {
  "thread/start.environments": "0.166",
  "thread/start.historyMode": "0.166",
  "thread/start.multiAgentMode": "0.166",
  "thread/start.runtimeWorkspaceRoots": "0.166",
  "turn/start.environments": "0.166",
  "turn/start.multiAgentMode": "0.166",
  "turn/start.responsesapiClientMetadata": "0.166",
  "turn/start.runtimeWorkspaceRoots": "0.166",
  "turn/steer.responsesapiClientMetadata": "0.166",
};

function because(reason: string, methods: readonly string[]): Record<string, string> {
  return Object.fromEntries(methods.map((method) => [method, reason]));
}
