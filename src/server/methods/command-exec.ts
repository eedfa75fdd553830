import { resolve } from "node:path";
import type { LiveCommand } from "../../exec/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type { CommandExecParams, CommandExecResponse } from "../../protocol/rpc/v2/command-exec.js";
import { enforcedPolicy } from "../../sandbox/index.js";
import type { LiveRequest } from "../client-commands.js";
import type { Connection, V2Handlers } from "../connection.js";
import { assertConsistent, configOf } from "./command-exec-params.js";
import { withDeniedFiles } from "./denied-files.js";
import {
  type Commands,
  endOnAbort,
  LiveCommands,
  limits,
  refused,
  toSize,
} from "./live-commands.js";

/** Creates the handlers that run commands outside of threads. Commands end with their connection. */
export function createCommandExecHandlers() {
  const commands = new LiveCommands({
    noun: "command/exec",
    writeMethod: "command/exec/write",
    missing: (id) => `no active command/exec for process id ${JSON.stringify(id)}`,
  });
  return {
    "command/exec": (params, connection, request) =>
      run(params, connection, commands.of(connection), request),
    "command/exec/write": ({ processId, ...input }, connection) =>
      commands.write(connection, processId, input),
    "command/exec/terminate": ({ processId }, connection) => commands.end(connection, processId),
    "command/exec/resize": ({ processId, size }, connection) =>
      commands.resize(connection, processId, size),
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
  const stopFollowing = endOnAbort(command, signal);
  onStart(command);
  const { exitCode, stdout, stderr, timedOut, bySignal, problem } = await command.done;
  stopFollowing();
  if (problem !== undefined) throw failed(problem);
  if (endsAreErrors && timedOut) throw failed("sandbox error: command timed out");
  if (endsAreErrors && bySignal) throw failed("sandbox error: command was killed by a signal");
  return { exitCode, stdout, stderr };
}

async function toRequest(params: CommandExecParams, connection: Connection): Promise<LiveRequest> {
  const { command: argv, cwd = ".", processId, tty = false, size } = params;
  const streams = tty || params.streamStdoutStderr === true;
  const config = await configOf(params, connection);
  const own = enforcedPolicy(config);
  // A profile that is selected for the command may lift what others deny.
  const isSelected = params.permissionProfile !== undefined;
  const uncapped = streams ? Number.MAX_SAFE_INTEGER : limits.capturedBytes;
  const cap = params.disableOutputCap ? uncapped : (params.outputBytesCap ?? limits.usualCapBytes);
  return {
    argv,
    cwd: resolve(config.cwd, cwd),
    policy: isSelected ? own : await withDeniedFiles(own, connection.server),
    environment: config.shell_environment_policy,
    variables: params.env,
    terminal: tty ? toSize(size ?? { rows: 24, cols: 80 }) : undefined,
    input: params.streamStdin === true,
    timeoutMs: params.disableTimeout ? undefined : (params.timeoutMs ?? limits.usualTimeoutMs),
    capBytes: streams ? cap : Math.min(cap, limits.capturedBytes),
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
