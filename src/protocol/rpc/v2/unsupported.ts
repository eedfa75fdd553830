/** Methods of the reference that are answered with an error saying so, and why. */
export const unsupported: Readonly<Record<string, string>> = {
  ...because("There are no realtime voice conversations.", [
    "thread/realtime/start",
    "thread/realtime/appendAudio",
    "thread/realtime/appendText",
    "thread/realtime/appendSpeech",
    "thread/realtime/stop",
    "thread/realtime/listVoices",
    "thread/timeline/list",
  ]),
  ...because("There are no plugins; skills and MCP servers take their place.", [
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
  ...because("Apps are a service of the reference's vendor that is not asked from here.", [
    "app/read",
  ]),
  ...because("Skills come from folders on this machine only.", [
    "skills/remote/list",
    "skills/remote/export",
    "skills/extraRoots/set",
  ]),
  ...because("The server is reached directly; there is no relay to control it through.", [
    "remoteControl/enable",
    "remoteControl/disable",
    "remoteControl/status/read",
    "remoteControl/pairing/start",
    "remoteControl/pairing/status",
    "remoteControl/client/list",
    "remoteControl/client/revoke",
  ]),
  ...because("Commands run on this machine only, not in environments that clients add.", [
    "environment/add",
    "environment/info",
    "environment/status",
  ]),
  ...because("There is no sandbox for Windows to set up.", ["windowsSandbox/setupStart"]),
  ...because("Nothing is sent to anyone but the model's server, so there is no feedback.", [
    "feedback/upload",
    "feedback/save",
  ]),
  ...because("Accounts at other clouds and gateways are set up in config.toml.", [
    "account/bedrock/discover",
    "account/bedrock/setup",
    "account/gcp/setup",
    "account/gatewayOAuth/login",
    "account/gatewayOAuth/cancel",
  ]),
  ...because("It is about the user's account at the vendor, which is not managed from here.", [
    "accountSession/list",
    "accountSession/switch",
    "account/usage/read",
    "account/rateLimitResetCredit/consume",
    "account/sendAddCreditsNudgeEmail",
    "userVerification/status",
    "userVerification/enroll",
    "userVerification/delete",
    "userVerification/verify",
    "userVerification/cancel",
  ]),
  ...because("The model keeps no memories between threads.", [
    "thread/memoryMode/set",
    "thread/memory/read",
    "memory/reset",
  ]),
  ...because("Threads are not sorted into sections and projects.", [
    "thread/section/move",
    "threadSection/create",
    "threadSection/update",
    "threadSection/delete",
    "project/read",
    "project/create",
    "project/import",
    "project/update",
    "project/move",
    "project/delete",
  ]),
  ...because("Nothing is attached to threads; what a turn needs is in its input.", [
    "thread/attachment/add",
    "thread/attachment/remove",
  ]),
  ...because("Input is not queued: `turn/steer` adds it to the turn that runs.", [
    "thread/queue/add",
    "thread/queue/list",
    "thread/queue/update",
    "thread/queue/delete",
    "thread/queue/reorder",
    "thread/queue/start",
  ]),
  ...because(
    "Only names and beginnings of threads are searched: `thread/list` with `searchTerm`.",
    ["thread/search", "thread/searchOccurrences"],
  ),
  ...because("Commands do not go on behind a turn that has ended.", [
    "thread/backgroundTerminals/clean",
    "thread/backgroundTerminals/list",
    "thread/backgroundTerminals/terminate",
  ]),
  ...because("Processes are started with `command/exec`.", [
    "process/spawn",
    "process/writeStdin",
    "process/kill",
    "process/resizePty",
  ]),
  ...because("Settings of other agents are not taken over.", [
    "externalAgentConfig/import",
    "externalAgentConfig/import/recordHistory",
  ]),
  ...because("What is known of a thread is what its log says; nothing is put over it.", [
    "thread/metadata/update",
  ]),
  ...because("No second model decides on approvals, so there is nothing to overrule.", [
    "thread/approveGuardianDeniedAction",
  ]),
  ...because("The model is only asked in turns: `turn/start`, in an ephemeral thread if need be.", [
    "thread/sample",
    "thread/sample/cancel",
    "thread/prediction/request",
  ]),
  ...because("A question of an MCP server waits as long as its own time-out says.", [
    "thread/increment_elicitation",
    "thread/decrement_elicitation",
  ]),
  ...because("Items are read with `thread/items/list`.", ["thread/items/read"]),
  ...because("Settings are changed with `thread/settings/update` or the next `turn/start`.", [
    "turn/settings/update",
  ]),
  ...because("Logs of threads are kept as plain text, so that all versions read them.", [
    "rollout/compress",
  ]),
  ...because("Features are switched in config.toml: `config/value/write`.", [
    "experimentalFeature/enablement/set",
  ]),
  ...because("MCP servers send no streams of events to clients.", [
    "mcpServer/event/stream/start",
    "mcpServer/event/stream/stop",
  ]),
  ...because("The server does not report on itself; `/healthz` says whether it lives.", [
    "server/diagnostics",
  ]),
  ...because("It is a method for the reference's own tests.", ["mock/experimentalMethod"]),
  ...because("`thread/fork` does the same.", ["forkConversation"]),
};

function because(reason: string, methods: readonly string[]): Record<string, string> {
  return Object.fromEntries(methods.map((method) => [method, reason]));
}
