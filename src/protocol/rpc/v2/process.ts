import Type, { type Static } from "typebox";
import { allSince, described, Nullable, Nullish } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { CommandExecTerminalSize } from "./command-exec.js";
import { EmptyResponse } from "./common.js";

const processHandle = Type.String({ description: "Handle chosen by the client." });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const ProcessSpawnParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    processHandle: Type.String({
      description: "Handle, unique among the running processes of this connection.",
    }),
    cwd: Type.String({ description: "Working directory; an absolute path." }),
    env: Nullish(Type.Record(Type.String(), Nullable(Type.String())), {
      description: "Additional environment variables; `null` removes one.",
    }),
    tty: flag("Runs it in a terminal; implies streaming and input."),
    size: described(Type.Optional(CommandExecTerminalSize), "Terminal size; requires `tty`."),
    streamStdin: flag("Accepts input by `process/writeStdin`."),
    streamStdoutStderr: flag(
      "Streams output as `process/outputDelta`; `process/exited` then omits it.",
    ),
    outputBytesCap: Type.Optional(
      Nullable(Type.Integer({ minimum: 0 }), {
        description: "Maximum bytes of each output stream. Default: 1 MiB; `null`: no limit.",
      }),
    ),
    timeoutMs: Type.Optional(
      Nullable(Type.Integer({ minimum: 0 }), {
        description: "Time limit in milliseconds. Default: 10,000; `null`: no limit.",
      }),
    ),
  },
  { $id: "ProcessSpawnParams", description: "Params of `process/spawn`." },
);
export interface ProcessSpawnParams extends Static<typeof ProcessSpawnParams> {}

export const ProcessWriteStdinParams = Type.Object(
  {
    processHandle,
    deltaBase64: Type.Optional(Type.String({ description: "Input bytes in Base64." })),
    closeStdin: flag("Closes standard input after writing."),
  },
  { $id: "ProcessWriteStdinParams", description: "Params of `process/writeStdin`." },
);
export interface ProcessWriteStdinParams extends Static<typeof ProcessWriteStdinParams> {}

export const ProcessKillParams = Type.Object(
  { processHandle },
  { $id: "ProcessKillParams", description: "Params of `process/kill`." },
);
export interface ProcessKillParams extends Static<typeof ProcessKillParams> {}

export const ProcessResizePtyParams = Type.Object(
  { processHandle, size: described(CommandExecTerminalSize, "New size.") },
  { $id: "ProcessResizePtyParams", description: "Params of `process/resizePty`." },
);
export interface ProcessResizePtyParams extends Static<typeof ProcessResizePtyParams> {}

export const ProcessOutputDeltaNotification = Type.Object(
  allSince("0.166", {
    processHandle,
    stream: Type.Enum(["stdout", "stderr"], { description: "Output stream." }),
    deltaBase64: Type.String({ description: "Output bytes in Base64." }),
    capReached: Type.Boolean({
      description: "The output limit is reached; later output of this stream is dropped.",
    }),
  }),
  { $id: "ProcessOutputDeltaNotification", description: "Output of a process." },
);
export interface ProcessOutputDeltaNotification
  extends Static<typeof ProcessOutputDeltaNotification> {}

export const ProcessExitedNotification = Type.Object(
  allSince("0.166", {
    processHandle,
    exitCode: Type.Integer({
      description: "Exit code; 124 after a timeout, 137 if it was killed.",
    }),
    outputDrainTimedOut: Type.Boolean({
      description: "True if output was still open a while after the exit, and is incomplete.",
    }),
    stdout: Type.String({ description: "Standard output; empty if it was streamed." }),
    stdoutCapReached: Type.Boolean({ description: "True if standard output is incomplete." }),
    stderr: Type.String({ description: "Standard error; empty if it was streamed." }),
    stderrCapReached: Type.Boolean({ description: "True if standard error is incomplete." }),
  }),
  { $id: "ProcessExitedNotification", description: "A process has ended." },
);
export interface ProcessExitedNotification extends Static<typeof ProcessExitedNotification> {}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const processMethods = [
  defineMethod({
    name: "process/spawn",
    summary: "Starts a process without a sandbox and replies at once. It ends with the connection.",
    scope: "connection",
    params: ProcessSpawnParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineMethod({
    name: "process/writeStdin",
    summary: "Writes to the standard input of a process.",
    scope: "connection",
    params: ProcessWriteStdinParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineMethod({
    name: "process/kill",
    summary: "Ends a process with everything it started.",
    scope: "connection",
    params: ProcessKillParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineMethod({
    name: "process/resizePty",
    summary: "Resizes the terminal of a process.",
    scope: "connection",
    params: ProcessResizePtyParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineNotification({
    name: "process/outputDelta",
    summary: "Output of a process that was started with streaming.",
    scope: "connection",
    params: ProcessOutputDeltaNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "process/exited",
    summary: "A process has ended.",
    scope: "connection",
    params: ProcessExitedNotification,
    since: "0.166",
  }),
];
