import { resolve } from "node:path";
import type { CommandExecutionItem } from "../../../protocol/rpc/v2/item.js";
import type { CommandAction, CommandExecutionSource } from "../../../protocol/rpc/v2/item-parts.js";
import { toMilliseconds } from "../../../protocol/to-duration.js";
import type {
  ExecApprovalRequestEvent,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ParsedCommand,
} from "../../../protocol/types.js";
import { joinWords } from "../../../shell/index.js";

/** A command that starts, or that the user is asked about. */
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

/** A command that has ended; what its end does not say is taken from its beginning. */
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
      parsed_cmd === undefined
        ? (started?.commandActions ?? [])
        : parsed_cmd.map((one) => toCommandAction(one, cwd)),
    aggregatedOutput: msg.aggregated_output === "" ? null : msg.aggregated_output,
    exitCode,
    durationMs: Math.round(toMilliseconds(msg.duration)),
  };
}

/** What a command does, as v2 writes it. */
function toCommandAction(parsed: ParsedCommand, cwd: string): CommandAction {
  const { cmd: command } = parsed;
  switch (parsed.type) {
    case "read":
      return {
        type: "read",
        command,
        name: parsed.name,
        path: resolve(cwd, parsed.path ?? parsed.name),
      };
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
