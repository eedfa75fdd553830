import { resolve } from "node:path";
import type {
  CommandExecutionItem,
  DynamicToolCallItem,
  FileChangeItem,
  McpToolCallItem,
} from "../../protocol/rpc/v2/item.js";
import type {
  CommandAction,
  CommandExecutionSource,
  FileUpdateChange,
  PatchApplyStatus,
} from "../../protocol/rpc/v2/item-parts.js";
import type {
  DynamicToolCallRequestEvent,
  DynamicToolCallResponseEvent,
  ExecApprovalRequestEvent,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  FileChange,
  McpToolCallBeginEvent,
  McpToolCallEndEvent,
  ParsedCommand,
  PatchApplyEndEvent,
} from "../../protocol/types.js";
import { toMilliseconds } from "../../protocol/write.js";
import { joinWords } from "../../shell/index.js";

/** Returns the item of a command that starts or needs approval. */
export function startedCommand(
  msg: ExecCommandBeginEvent | ExecApprovalRequestEvent,
): CommandExecutionItem {
  const { call_id: id, command, cwd, parsed_cmd = [] } = msg;
  const { process_id = null, source = undefined } =
    msg.type === "exec_command_begin" ? msg : ({} as Partial<ExecCommandBeginEvent>);
  return {
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: joinWords(command),
    cwd,
    processId: process_id ?? null,
    source: toSource(source),
    status: "inProgress",
    commandActions: parsed_cmd.map((one) => toCommandAction(one, cwd)),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  };
}

/** Returns the item of a command that has ended; missing fields come from its start. */
export function endedCommand(
  msg: ExecCommandEndEvent,
  started: CommandExecutionItem | undefined,
): CommandExecutionItem {
  const { command, cwd = started?.cwd ?? "", parsed_cmd, exit_code: exitCode } = msg;
  return {
    type: "commandExecution",
    id: msg.call_id,
    pluginId: null,
    scriptPath: null,
    command: command === undefined ? (started?.command ?? "") : joinWords(command),
    cwd,
    processId: msg.process_id ?? started?.processId ?? null,
    source: msg.source === undefined ? (started?.source ?? "agent") : toSource(msg.source),
    status: msg.status ?? (exitCode === 0 ? "completed" : "failed"),
    commandActions:
      parsed_cmd?.map((one) => toCommandAction(one, cwd)) ?? started?.commandActions ?? [],
    aggregatedOutput: msg.aggregated_output === "" ? null : msg.aggregated_output,
    exitCode,
    durationMs: Math.round(toMilliseconds(msg.duration)),
  };
}

/** Converts a parsed command to v2. */
function toCommandAction(parsed: ParsedCommand, cwd: string): CommandAction {
  const { cmd: command } = parsed;
  switch (parsed.type) {
    case "read": {
      const path = resolve(cwd, parsed.path ?? parsed.name);
      return { type: "read", command, name: parsed.name, path };
    }
    case "list_files":
      return { type: "listFiles", command, path: parsed.path ?? null };
    case "search":
      return { type: "search", command, query: parsed.query ?? null, path: parsed.path ?? null };
    case "unknown":
      return { type: "unknown", command };
  }
}

function toSource(source: ExecCommandBeginEvent["source"]): CommandExecutionSource {
  return source === undefined ? "agent" : sources[source];
}

const sources = {
  agent: "agent",
  user_shell: "userShell",
  unified_exec_startup: "unifiedExecStartup",
  unified_exec_interaction: "unifiedExecInteraction",
} as const;

/** Returns the item of a patch. */
export function toFileChangeItem(
  id: string,
  changes: Record<string, FileChange>,
  status: PatchApplyStatus,
): FileChangeItem {
  return { type: "fileChange", id, changes: toFileUpdateChanges(changes), status };
}

/** Returns the item of a patch that has ended; missing fields come from its start. */
export function endedFileChange(
  msg: PatchApplyEndEvent,
  started: FileChangeItem | undefined,
): FileChangeItem {
  const status = msg.status ?? (msg.success ? "completed" : "failed");
  if (msg.changes !== undefined) return toFileChangeItem(msg.call_id, msg.changes, status);
  return { type: "fileChange", id: msg.call_id, changes: started?.changes ?? [], status };
}

/** Converts file changes to v2, sorted by path. */
export function toFileUpdateChanges(changes: Record<string, FileChange>): FileUpdateChange[] {
  return Object.entries(changes)
    .map(([path, change]) => toFileUpdateChange(path, change))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function toFileUpdateChange(path: string, change: FileChange): FileUpdateChange {
  switch (change.type) {
    case "add":
    case "delete":
      return { path, kind: { type: change.type }, diff: change.content };
    case "update": {
      const { move_path = null, unified_diff } = change;
      const diff = move_path === null ? unified_diff : `${unified_diff}\n\nMoved to: ${move_path}`;
      return { path, kind: { type: "update", move_path }, diff };
    }
  }
}

/** Returns the item of an MCP tool call that starts. */
export function startedMcpCall(msg: McpToolCallBeginEvent): McpToolCallItem {
  const { call_id: id, invocation, read_only_hint: readOnlyHint = null } = msg;
  const { server, tool } = invocation;
  return {
    type: "mcpToolCall",
    id,
    server,
    tool,
    status: "inProgress",
    arguments: invocation.arguments ?? null,
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint,
    result: null,
    error: null,
    durationMs: null,
  };
}

/** Returns the item of an MCP tool call that has ended. */
export function endedMcpCall(msg: McpToolCallEndEvent): McpToolCallItem {
  const { result } = msg;
  const item = startedMcpCall({ ...msg, type: "mcp_tool_call_begin" });
  const durationMs = Math.round(toMilliseconds(msg.duration));
  if (typeof result === "string") {
    return { ...item, status: "failed", error: { message: result }, durationMs };
  }
  const { content, structuredContent = null, _meta = null, isError = false } = result;
  return {
    ...item,
    status: isError ? "failed" : "completed",
    result: { content, structuredContent, _meta },
    durationMs,
  };
}

/** Returns the item of a call of a client tool, running or ended. */
export function toDynamicCall(
  msg: DynamicToolCallRequestEvent | DynamicToolCallResponseEvent,
): DynamicToolCallItem {
  const item: DynamicToolCallItem = {
    type: "dynamicToolCall",
    id: msg.callId,
    namespace: msg.namespace ?? null,
    tool: msg.tool,
    arguments: msg.arguments,
    status: "inProgress",
    contentItems: null,
    success: null,
    durationMs: null,
  };
  if (msg.type === "dynamic_tool_call_request") return item;
  const { contentItems, success, durationMs } = msg;
  return { ...item, status: success ? "completed" : "failed", contentItems, success, durationMs };
}
