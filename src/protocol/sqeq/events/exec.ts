import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";
import { callId, Duration, turnId } from "./fields.js";

const cmd = Type.String({ description: "The command as text." });

export const ReadCommand = Type.Object(
  {
    type: Type.Literal("read"),
    cmd,
    name: Type.String({ description: "Short name of the file." }),
    path: Nullish(Type.String(), { description: "Path of the file." }),
  },
  { $id: "ReadCommand", description: "Reads a file." },
);
export interface ReadCommand extends Static<typeof ReadCommand> {}

export const ListFilesCommand = Type.Object(
  {
    type: Type.Literal("list_files"),
    cmd,
    path: Nullish(Type.String(), { description: "Directory." }),
  },
  { $id: "ListFilesCommand", description: "Lists files." },
);
export interface ListFilesCommand extends Static<typeof ListFilesCommand> {}

export const SearchCommand = Type.Object(
  {
    type: Type.Literal("search"),
    cmd,
    query: Nullish(Type.String(), { description: "Search query." }),
    path: Nullish(Type.String(), { description: "Searched path." }),
  },
  { $id: "SearchCommand", description: "Searches files." },
);
export interface SearchCommand extends Static<typeof SearchCommand> {}

export const UnknownCommand = Type.Object(
  { type: Type.Literal("unknown"), cmd },
  { $id: "UnknownCommand", description: "Any other command." },
);
export interface UnknownCommand extends Static<typeof UnknownCommand> {}

/** Purpose of a command, for display. */
export type ParsedCommand = ReadCommand | ListFilesCommand | SearchCommand | UnknownCommand;
export const ParsedCommand = taggedUnion(
  "ParsedCommand",
  "type",
  [ReadCommand, ListFilesCommand, SearchCommand, UnknownCommand],
  "Purpose of a command, for display.",
);

const command = Type.Array(Type.String(), { description: "Program and arguments." });
const cwd = Type.String({ description: "Working directory." });
const parsedCmd = Type.Array(ParsedCommand, { description: "Parsed commands, for display." });
const processId = Nullish(Type.String(), { description: "Id of a long-running process." });
const interactionInput = Nullish(Type.String(), { description: "Input sent to the process." });

export const ExecCommandSource = Type.Enum(
  ["agent", "user_shell", "unified_exec_startup", "unified_exec_interaction"],
  { $id: "ExecCommandSource", description: "Origin of the command." },
);
/** Origin of a command. */
export type ExecCommandSource = Static<typeof ExecCommandSource>;

export const ExecCommandStatus = Type.Enum(["completed", "failed", "declined"], {
  $id: "ExecCommandStatus",
  description: "Outcome of a command.",
});
/** Outcome of a command. */
export type ExecCommandStatus = Static<typeof ExecCommandStatus>;

export const ExecCommandBeginEvent = Type.Object(
  {
    type: Type.Literal("exec_command_begin"),
    call_id: callId,
    command,
    cwd,
    parsed_cmd: parsedCmd,
    turn_id: turnId,
    process_id: processId,
    source: described(Type.Optional(ExecCommandSource), "Origin of the command."),
    interaction_input: interactionInput,
  },
  { $id: "ExecCommandBeginEvent", description: "A command started." },
);
export interface ExecCommandBeginEvent extends Static<typeof ExecCommandBeginEvent> {}

export const ExecOutputStream = Type.Enum(["stdout", "stderr"], {
  $id: "ExecOutputStream",
  description: "Output stream.",
});
/** Output stream of a command. */
export type ExecOutputStream = Static<typeof ExecOutputStream>;

export const ExecCommandOutputDeltaEvent = Type.Object(
  {
    type: Type.Literal("exec_command_output_delta"),
    call_id: callId,
    stream: described(ExecOutputStream, "Output stream."),
    chunk: Type.String({
      description: "Output bytes in Base64; a character may be split between chunks.",
    }),
  },
  { $id: "ExecCommandOutputDeltaEvent", description: "The next chunk of a command's output." },
);
export interface ExecCommandOutputDeltaEvent extends Static<typeof ExecCommandOutputDeltaEvent> {}

export const ExecCommandEndEvent = Type.Object(
  {
    type: Type.Literal("exec_command_end"),
    call_id: callId,
    stdout: Type.String({ description: "Standard output." }),
    stderr: Type.String({ description: "Standard error." }),
    aggregated_output: Type.String({ description: "Standard output and error, interleaved." }),
    exit_code: Type.Integer({ description: "Exit code; -1 if the command did not exit." }),
    duration: described(Duration, "Duration."),
    formatted_output: Type.String({ description: "Output as sent to the model." }),
    turn_id: turnId,
    process_id: processId,
    command: Type.Optional(command),
    cwd: Type.Optional(cwd),
    parsed_cmd: Type.Optional(parsedCmd),
    source: described(Type.Optional(ExecCommandSource), "Origin of the command."),
    interaction_input: interactionInput,
    status: described(Type.Optional(ExecCommandStatus), "Outcome."),
  },
  { $id: "ExecCommandEndEvent", description: "A command ended." },
);
export interface ExecCommandEndEvent extends Static<typeof ExecCommandEndEvent> {}

export const TerminalInteractionEvent = Type.Object(
  {
    type: Type.Literal("terminal_interaction"),
    call_id: callId,
    process_id: Type.String({ description: "Process id." }),
    stdin: Type.String({ description: "Input; empty if the process was only polled." }),
  },
  { $id: "TerminalInteractionEvent", description: "The model sent input to a running process." },
);
export interface TerminalInteractionEvent extends Static<typeof TerminalInteractionEvent> {}

export const ExecApprovalRequestEvent = Type.Object(
  {
    type: Type.Literal("exec_approval_request"),
    call_id: callId,
    command,
    cwd,
    reason: Nullish(Type.String(), { description: "Reason for the request." }),
    turn_id: turnId,
    parsed_cmd: Type.Optional(parsedCmd),
    proposed_execpolicy_amendment: Nullish(Type.Array(Type.String()), {
      description: "Command prefix that can be allowed from now on.",
    }),
  },
  {
    $id: "ExecApprovalRequestEvent",
    description: "Requests approval of a command. Answered by `exec_approval`.",
  },
);
export interface ExecApprovalRequestEvent extends Static<typeof ExecApprovalRequestEvent> {}
