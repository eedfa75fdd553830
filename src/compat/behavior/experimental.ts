/** Methods, and params as `method.param`, that require `capabilities.experimentalApi`. */
export type ExperimentalSet = ReadonlySet<string>;

const both = [
  "collaborationMode/list",
  "fuzzyFileSearch/sessionStart",
  "fuzzyFileSearch/sessionStop",
  "fuzzyFileSearch/sessionUpdate",
  "thread/backgroundTerminals/clean",
  "thread/fork.path",
  "thread/resume.history",
  "thread/resume.path",
  "thread/start.dynamicTools",
  "thread/start.experimentalRawEvents",
  "turn/start.collaborationMode",
];

/** As in 0.104. */
export const experimentalOf104: ExperimentalSet = new Set(both);

/** As in 0.166. */
export const experimentalOf166: ExperimentalSet = new Set([
  ...both,
  "command/exec.permissionProfile",
  "server/diagnostics",
  "thread/backgroundTerminals/list",
  "thread/backgroundTerminals/terminate",
  "thread/fork.beforeTurnId",
  "thread/fork.permissions",
  "thread/items/read",
  "thread/list.ancestorThreadId",
  "thread/list.parentThreadId",
  "thread/list.projectId",
  "thread/resume.initialTurnsPage",
  "thread/resume.permissions",
  "thread/search",
  "thread/searchOccurrences",
  "thread/settings/update",
  "thread/start.environments",
  "thread/start.historyMode",
  "thread/start.multiAgentMode",
  "thread/start.permissions",
  "thread/start.runtimeWorkspaceRoots",
  "turn/settings/update",
  "turn/start.additionalContext",
  "turn/start.environments",
  "turn/start.multiAgentMode",
  "turn/start.permissions",
  "turn/start.responsesapiClientMetadata",
  "turn/start.runtimeWorkspaceRoots",
  "turn/steer.additionalContext",
  "turn/steer.responsesapiClientMetadata",
]);
