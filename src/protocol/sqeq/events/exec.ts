import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";
import { callId, Duration, turnId } from "./fields.js";

const cmd = Type.String({ description: "The command as text." });

export const ReadCommand = Type.Object(
  {
    type: Type.Literal("read"),
    cmd,
    name: Type.String({ description: "A short name of the file that is read." }),
    path: Nullish(Type.String(), { description: "The file that is read." }),
  },
  { $id: "ReadCommand", description: "Shows a file." },
);
export interface ReadCommand extends Static<typeof ReadCommand> {}

export const ListFilesCommand = Type.Object(
  {
    type: Type.Literal("list_files"),
    cmd,
    path: Nullish(Type.String(), { description: "Where the files are." }),
  },
  { $id: "ListFilesCommand", description: "Lists files." },
);
export interface ListFilesCommand extends Static<typeof ListFilesCommand> {}

export const SearchCommand = Type.Object(
  {
    type: Type.Literal("search"),
    cmd,
    query: Nullish(Type.String(), { description: "What is searched for." }),
    path: Nullish(Type.String(), { description: "Where it is searched." }),
  },
  { $id: "SearchCommand", description: "Searches files." },
);
export interface SearchCommand extends Static<typeof SearchCommand> {}

export const UnknownCommand = Type.Object(
  { type: Type.Literal("unknown"), cmd },
  { $id: "UnknownCommand", description: "Does something else." },
);
export interface UnknownCommand extends Static<typeof UnknownCommand> {}

/** What a command does, for showing it to a person. */
export type ParsedCommand = ReadCommand | ListFilesCommand | SearchCommand | UnknownCommand;
export const ParsedCommand = taggedUnion(
  "ParsedCommand",
  "type",
  [ReadCommand, ListFilesCommand, SearchCommand, UnknownCommand],
  "What a command does, for showing it to a person.",
);

const command = Type.Array(Type.String(), { description: "The program and its arguments." });
const cwd = Type.String({ description: "Where it runs." });
const parsedCmd = Type.Array(ParsedCommand, { description: "What it does, for showing it." });
const processId = Nullish(Type.String(), { description: "The session of a long-running process." });
const interactionInput = Nullish(Type.String(), { description: "What was typed into it." });

export const ExecCommandSource = Type.Enum(
  ["agent", "user_shell", "unified_exec_startup", "unified_exec_interaction"],
  { $id: "ExecCommandSource", description: "Who runs the command." },
);
/** Who runs a command. */
export type ExecCommandSource = Static<typeof ExecCommandSource>;

export const ExecCommandStatus = Type.Enum(["completed", "failed", "declined"], {
  $id: "ExecCommandStatus",
  description: "How a command ended.",
});
/** How a command ended. */
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
    source: described(Type.Optional(ExecCommandSource), "Who runs it."),
    interaction_input: interactionInput,
  },
  { $id: "ExecCommandBeginEvent", description: "A command starts." },
);
export interface ExecCommandBeginEvent extends Static<typeof ExecCommandBeginEvent> {}

export const ExecOutputStream = Type.Enum(["stdout", "stderr"], {
  $id: "ExecOutputStream",
  description: "Where output came from.",
});
/** Where output of a command came from. */
export type ExecOutputStream = Static<typeof ExecOutputStream>;

export const ExecCommandOutputDeltaEvent = Type.Object(
  {
    type: Type.Literal("exec_command_output_delta"),
    call_id: callId,
    stream: described(ExecOutputStream, "Where it came from."),
    chunk: Type.String({ description: "The bytes in Base64; characters may be cut in two." }),
  },
  { $id: "ExecCommandOutputDeltaEvent", description: "The next piece of a command's output." },
);
export interface ExecCommandOutputDeltaEvent extends Static<typeof ExecCommandOutputDeltaEvent> {}

export const ExecCommandEndEvent = Type.Object(
  {
    type: Type.Literal("exec_command_end"),
    call_id: callId,
    stdout: Type.String({ description: "All it wrote to standard output." }),
    stderr: Type.String({ description: "All it wrote to standard error." }),
    aggregated_output: Type.String({ description: "Both, as they came." }),
    exit_code: Type.Integer({ description: "Its exit code; -1 if it did not run to its end." }),
    duration: described(Duration, "How long it ran."),
    formatted_output: Type.String({ description: "What the model is given." }),
    turn_id: turnId,
    process_id: processId,
    command: Type.Optional(command),
    cwd: Type.Optional(cwd),
    parsed_cmd: Type.Optional(parsedCmd),
    source: described(Type.Optional(ExecCommandSource), "Who ran it."),
    interaction_input: interactionInput,
    status: described(Type.Optional(ExecCommandStatus), "How it ended."),
  },
  { $id: "ExecCommandEndEvent", description: "A command has ended." },
);
export interface ExecCommandEndEvent extends Static<typeof ExecCommandEndEvent> {}

export const TerminalInteractionEvent = Type.Object(
  {
    type: Type.Literal("terminal_interaction"),
    call_id: callId,
    process_id: Type.String({ description: "The session of the process." }),
    stdin: Type.String({ description: "What was typed; empty where it was only looked at." }),
  },
  { $id: "TerminalInteractionEvent", description: "The model typed into a process that runs." },
);
export interface TerminalInteractionEvent extends Static<typeof TerminalInteractionEvent> {}

export const ExecApprovalRequestEvent = Type.Object(
  {
    type: Type.Literal("exec_approval_request"),
    call_id: callId,
    command,
    cwd,
    reason: Nullish(Type.String(), { description: "Why the user is asked." }),
    turn_id: turnId,
    parsed_cmd: Type.Optional(parsedCmd),
    proposed_execpolicy_amendment: Nullish(Type.Array(Type.String()), {
      description: "First words of commands that could be allowed from now on.",
    }),
  },
  {
    $id: "ExecApprovalRequestEvent",
    description: "Asks the user whether a command may run; answered by `exec_approval`.",
  },
);
export interface ExecApprovalRequestEvent extends Static<typeof ExecApprovalRequestEvent> {}
