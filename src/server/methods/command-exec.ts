import { resolve } from "node:path";
import type { LiveCommand } from "../../exec/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type { CommandExecParams, CommandExecResponse } from "../../protocol/rpc/v2/command-exec.js";
import { enforcedPolicy } from "../../sandbox/index.js";
import type { LiveRequest } from "../client-commands.js";
import type { Connection, V2Handlers } from "../connection.js";
import { assertConsistent, configOf } from "./command-exec-params.js";
import {
  type Commands,
  commandsByConnection,
  type Running,
  refused,
  resizeTerminal,
  toSize,
  writeInput,
} from "./live-commands.js";

/**
 * Creates the handlers that run commands outside of threads. Commands end with their connection.
 */
export function createCommandExecHandlers() {
  const commandsOf = commandsByConnection();
  return {
    "command/exec": (params, connection, request) =>
      run(params, connection, commandsOf(connection), request),
    "command/exec/write": ({ processId, ...input }, connection) =>
      writeInput(commandsOf(connection).get(processId), input, {
        method: "command/exec/write",
        noun: "command/exec",
        missing: () => noCommand(processId),
      }),
    "command/exec/terminate": ({ processId }, connection) => {
      find(processId, commandsOf(connection)).command.end();
      return {};
    },
    "command/exec/resize": ({ processId, size }, connection) =>
      resizeTerminal(find(processId, commandsOf(connection)), size),
  } satisfies Partial<V2Handlers>;
}

async function run(
  params: CommandExecParams,
  connection: Connection,
  commands: Commands,
  request: RpcRequest,
): Promise<CommandExecResponse> {
  assertConsistent(params);
  const { processId } = params;
  if (processId === undefined) return runToEnd(params, connection, request, () => undefined);
  if (commands.has(processId)) {
    const message = `duplicate active command/exec process id: ${JSON.stringify(processId)}`;
    throw refused(message);
  }
  commands.set(processId, undefined);
  try {
    const takesInput = params.tty === true || params.streamStdin === true;
    return await runToEnd(params, connection, request, (command) =>
      commands.set(processId, { command, takesInput }),
    );
  } finally {
    commands.delete(processId);
  }
}

async function runToEnd(
  params: CommandExecParams,
  connection: Connection,
  { signal }: RpcRequest,
  onStart: (command: LiveCommand) => void,
): Promise<CommandExecResponse> {
  const { parts } = connection.server;
  const endsAreErrors = !parts.era.since["0.166"];
  const prefix = endsAreErrors ? "exec failed" : "failed to spawn command";
  const failed = (problem: string) => new RpcError(rpcCodes.internal, `${prefix}: ${problem}`);
  const command = await parts.startLive(await toRequest(params, connection));
  if (typeof command === "string") throw failed(command);
  const end = () => command.end();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  onStart(command);
  const { exitCode, stdout, stderr, timedOut, bySignal, problem } = await command.done;
  signal.removeEventListener("abort", end);
  if (problem !== undefined) throw failed(problem);
  if (endsAreErrors && timedOut) throw failed("sandbox error: command timed out");
  if (endsAreErrors && bySignal) throw failed("sandbox error: command was killed by a signal");
  return { exitCode, stdout, stderr };
}

const usualTimeoutMs = 10_000;
const usualCapBytes = 1024 * 1024;
/** Limit for the captured output of each stream, even if the client disables the cap. */
const maxCapturedBytes = 32 * 1024 * 1024;

async function toRequest(params: CommandExecParams, connection: Connection): Promise<LiveRequest> {
  const { command: argv, cwd = ".", processId, tty = false, size } = params;
  const streams = tty || params.streamStdoutStderr === true;
  const config = await configOf(params, connection);
  const uncapped = streams ? Number.MAX_SAFE_INTEGER : maxCapturedBytes;
  const cap = params.disableOutputCap ? uncapped : (params.outputBytesCap ?? usualCapBytes);
  return {
    argv,
    cwd: resolve(config.cwd, cwd),
    policy: enforcedPolicy(config),
    environment: config.shell_environment_policy,
    variables: params.env,
    terminal: tty ? toSize(size ?? { rows: 24, cols: 80 }) : undefined,
    input: params.streamStdin === true,
    timeoutMs: params.disableTimeout ? undefined : (params.timeoutMs ?? usualTimeoutMs),
    capBytes: streams ? cap : Math.min(cap, maxCapturedBytes),
    onOutput:
      streams && processId !== undefined
        ? (stream, chunk, capReached) => {
            const deltaBase64 = chunk.toString("base64");
            const notification = { processId, stream, deltaBase64, capReached };
            connection.notify("command/exec/outputDelta", notification);
            return connection.peer.room();
          }
        : undefined,
  };
}

function find(processId: string, commands: Commands): Running {
  const running = commands.get(processId);
  if (running !== undefined) return running;
  throw noCommand(processId);
}

function noCommand(processId: string): RpcError {
  return refused(`no active command/exec for process id ${JSON.stringify(processId)}`);
}
