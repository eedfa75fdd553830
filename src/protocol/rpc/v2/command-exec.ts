import Type, { type Static } from "typebox";
import { described, experimental, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { SandboxPolicy } from "./policy.js";

const processId = Type.String({ description: "Process id chosen by the client." });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const CommandExecTerminalSize = Type.Object(
  {
    rows: Type.Integer({ minimum: 1, maximum: 65_535, description: "Height in rows." }),
    cols: Type.Integer({ minimum: 1, maximum: 65_535, description: "Width in columns." }),
  },
  { $id: "CommandExecTerminalSize", description: "Size of a terminal." },
);
export interface CommandExecTerminalSize extends Static<typeof CommandExecTerminalSize> {}

export const CommandExecParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    processId: Type.Optional(
      Type.String({
        description: "Process id, unique on this connection; required for streaming and input.",
      }),
    ),
    tty: flag("Runs it in a terminal; implies streaming and input."),
    streamStdin: flag("Accepts input by `command/exec/write`."),
    streamStdoutStderr: flag(
      "Streams output as `command/exec/outputDelta`; the result then omits it.",
    ),
    outputBytesCap: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Maximum bytes of each output stream. Default: 1 MiB.",
      }),
    ),
    disableOutputCap: flag("Disables the output limit."),
    disableTimeout: flag("Disables the time limit."),
    timeoutMs: Type.Optional(
      Type.Integer({ description: "Time limit in milliseconds. Default: 10,000." }),
    ),
    cwd: Type.Optional(Type.String({ description: "Working directory. Default: the server's." })),
    env: Type.Optional(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: "Additional environment variables; `null` removes one.",
      }),
    ),
    size: described(Type.Optional(CommandExecTerminalSize), "Terminal size."),
    sandboxPolicy: described(
      Type.Optional(SandboxPolicy),
      "Sandbox policy. Default: that of the config.",
    ),
    permissionProfile: experimental(
      "0.166",
      Type.Optional(
        Type.String({ description: "Permission profile, instead of `sandboxPolicy`." }),
      ),
    ),
  },
  { $id: "CommandExecParams", description: "Params of `command/exec`." },
);
export interface CommandExecParams extends Static<typeof CommandExecParams> {}

export const CommandExecResponse = Type.Object(
  {
    exitCode: Type.Integer({ description: "Exit code; 124 after a timeout." }),
    stdout: Type.String({ description: "Standard output; empty if it was streamed." }),
    stderr: Type.String({ description: "Standard error; empty if it was streamed." }),
  },
  { $id: "CommandExecResponse", description: "Outcome of a command." },
);
export interface CommandExecResponse extends Static<typeof CommandExecResponse> {}

export const CommandExecWriteParams = Type.Object(
  {
    processId,
    deltaBase64: Type.Optional(Type.String({ description: "Input bytes in Base64." })),
    closeStdin: flag("Closes standard input after writing."),
  },
  { $id: "CommandExecWriteParams", description: "Params of `command/exec/write`." },
);
export interface CommandExecWriteParams extends Static<typeof CommandExecWriteParams> {}

export const CommandExecTerminateParams = Type.Object(
  { processId },
  { $id: "CommandExecTerminateParams", description: "Params of `command/exec/terminate`." },
);
export interface CommandExecTerminateParams extends Static<typeof CommandExecTerminateParams> {}

export const CommandExecResizeParams = Type.Object(
  { processId, size: described(CommandExecTerminalSize, "New size.") },
  { $id: "CommandExecResizeParams", description: "Params of `command/exec/resize`." },
);
export interface CommandExecResizeParams extends Static<typeof CommandExecResizeParams> {}

export const CommandExecOutputDeltaNotification = Type.Object(
  {
    processId,
    stream: Type.Enum(["stdout", "stderr"], { description: "Output stream." }),
    deltaBase64: Type.String({ description: "Output bytes in Base64." }),
    capReached: Type.Boolean({
      description: "The output limit is reached; later output of this stream is dropped.",
    }),
  },
  { $id: "CommandExecOutputDeltaNotification", description: "Output of a command." },
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
    since: "0.166",
  }),
  defineMethod({
    name: "command/exec/terminate",
    summary: "Terminates a running command.",
    scope: "connection",
    params: CommandExecTerminateParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "command/exec/resize",
    summary: "Resizes the terminal of a running command.",
    scope: "connection",
    params: CommandExecResizeParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "command/exec/outputDelta",
    summary: "Output of a command that was started with streaming.",
    scope: "connection",
    params: CommandExecOutputDeltaNotification,
    since: "0.166",
  }),
];
