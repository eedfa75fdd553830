import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { SandboxPolicy } from "./policy.js";

const processId = Type.String({ description: "The command, by the name its client gave it." });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const CommandExecTerminalSize = Type.Object(
  {
    rows: Type.Integer({ minimum: 1, maximum: 65_535, description: "Its height in characters." }),
    cols: Type.Integer({ minimum: 1, maximum: 65_535, description: "Its width in characters." }),
  },
  { $id: "CommandExecTerminalSize", description: "The size of a terminal." },
);
export interface CommandExecTerminalSize extends Static<typeof CommandExecTerminalSize> {}

export const CommandExecParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "The program and its arguments." }),
    processId: Type.Optional(
      Type.String({
        description: "A name for it, unique on this connection; needed to stream or talk to it.",
      }),
    ),
    tty: flag("Runs it in a terminal; its output is then streamed and it can be written to."),
    streamStdin: flag("It can be written to with `command/exec/write`."),
    streamStdoutStderr: flag("Its output is told while it runs, and not repeated at the end."),
    outputBytesCap: Type.Optional(
      Type.Integer({ minimum: 0, description: "How much of each stream counts; 1 MiB if absent." }),
    ),
    disableOutputCap: flag("All of its output counts."),
    disableTimeout: flag("It may take as long as it wants."),
    timeoutMs: Type.Optional(
      Type.Integer({ description: "How long it may take; ten seconds if absent." }),
    ),
    cwd: Type.Optional(
      Type.String({ description: "Where it runs; the server's folder if absent." }),
    ),
    env: Type.Optional(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: "Variables on top of the usual ones; `null` takes one away.",
      }),
    ),
    size: described(Type.Optional(CommandExecTerminalSize), "The size of its terminal."),
    sandboxPolicy: described(
      Type.Optional(SandboxPolicy),
      "What it may do; what the settings say if absent.",
    ),
    permissionProfile: Type.Optional(
      Type.String({ description: "A built-in permission profile in place of `sandboxPolicy`." }),
    ),
  },
  { $id: "CommandExecParams", description: "A command to run outside of any thread." },
);
export interface CommandExecParams extends Static<typeof CommandExecParams> {}

export const CommandExecResponse = Type.Object(
  {
    exitCode: Type.Integer({ description: "Its exit code; 124 after a time-out." }),
    stdout: Type.String({ description: "What it wrote, unless that was streamed." }),
    stderr: Type.String({ description: "What it wrote to standard error, likewise." }),
  },
  { $id: "CommandExecResponse", description: "How a command ended." },
);
export interface CommandExecResponse extends Static<typeof CommandExecResponse> {}

export const CommandExecWriteParams = Type.Object(
  {
    processId,
    deltaBase64: Type.Optional(Type.String({ description: "Bytes for its input." })),
    closeStdin: flag("No more input comes after that."),
  },
  { $id: "CommandExecWriteParams", description: "Input for a command." },
);
export interface CommandExecWriteParams extends Static<typeof CommandExecWriteParams> {}

export const CommandExecTerminateParams = Type.Object(
  { processId },
  { $id: "CommandExecTerminateParams", description: "Which command to end." },
);
export interface CommandExecTerminateParams extends Static<typeof CommandExecTerminateParams> {}

export const CommandExecResizeParams = Type.Object(
  { processId, size: described(CommandExecTerminalSize, "The new size.") },
  { $id: "CommandExecResizeParams", description: "A terminal's new size." },
);
export interface CommandExecResizeParams extends Static<typeof CommandExecResizeParams> {}

export const CommandExecOutputDeltaNotification = Type.Object(
  {
    processId,
    stream: Type.Enum(["stdout", "stderr"], { description: "Where it wrote it." }),
    deltaBase64: Type.String({ description: "The bytes." }),
    capReached: Type.Boolean({ description: "What follows on this stream is above the cap." }),
  },
  { $id: "CommandExecOutputDeltaNotification", description: "What a command has written." },
);
export interface CommandExecOutputDeltaNotification
  extends Static<typeof CommandExecOutputDeltaNotification> {}

export const commandExecMethods = [
  defineMethod({
    name: "command/exec",
    summary: "Runs a command outside of any thread and replies when it has exited.",
    scope: "connection",
    params: CommandExecParams,
    result: CommandExecResponse,
  }),
  defineMethod({
    name: "command/exec/write",
    summary: "Writes to the standard input of a running command.",
    scope: "connection",
    params: CommandExecWriteParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "command/exec/terminate",
    summary: "Terminates a running command.",
    scope: "connection",
    params: CommandExecTerminateParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "command/exec/resize",
    summary: "Resizes the terminal of a running command.",
    scope: "connection",
    params: CommandExecResizeParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "command/exec/outputDelta",
    summary: "Output of a command that was started with streaming.",
    scope: "connection",
    params: CommandExecOutputDeltaNotification,
  }),
];
