import { isAbsolute } from "node:path";
import { withSandboxPolicy } from "../../config/index.js";
import type { LiveResult } from "../../exec/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type { ProcessSpawnParams } from "../../protocol/rpc/v2/process.js";
import { enforcedPolicy } from "../../sandbox/index.js";
import type { LiveRequest } from "../client-commands.js";
import type { Connection, V2Handlers } from "../connection.js";
import { withDeniedFiles } from "./denied-files.js";
import {
  type Commands,
  endOnAbort,
  invalid,
  LiveCommands,
  limits,
  refused,
  toSize,
} from "./live-commands.js";

/** Creates the handlers of processes without a sandbox. They end with their connection. */
export function createProcessHandlers() {
  const processes = new LiveCommands({
    noun: "process",
    writeMethod: "process/writeStdin",
    missing: (handle) => `no active process for process handle ${JSON.stringify(handle)}`,
  });
  return {
    "process/spawn": (params, connection, request) =>
      spawn(params, connection, processes.of(connection), request),
    "process/writeStdin": ({ processHandle, ...input }, connection) =>
      processes.write(connection, processHandle, input),
    "process/kill": ({ processHandle }, connection) => processes.end(connection, processHandle),
    "process/resizePty": ({ processHandle, size }, connection) =>
      processes.resize(connection, processHandle, size),
  } satisfies Partial<V2Handlers>;
}

async function spawn(
  params: ProcessSpawnParams,
  connection: Connection,
  processes: Commands,
  request: RpcRequest,
): Promise<Record<string, never>> {
  const { processHandle, tty = false } = params;
  check(params);
  if (processes.has(processHandle)) {
    throw refused(`duplicate active process handle: ${JSON.stringify(processHandle)}`);
  }
  processes.set(processHandle, undefined);
  const reached = { stdout: false, stderr: false };
  try {
    const { parts } = connection.server;
    const command = await parts.startLive(await toRequest(params, connection, reached));
    if (typeof command === "string") {
      throw new RpcError(rpcCodes.internal, `failed to spawn process: ${command}`);
    }
    processes.set(processHandle, { command, takesInput: tty || params.streamStdin === true });
    const stopFollowing = endOnAbort(command, connection.peer.signal);
    request.afterReply(() => {
      void command.done.then((result) => {
        stopFollowing();
        processes.delete(processHandle);
        connection.notify("process/exited", { processHandle, ...toExit(result, reached) });
      });
    });
    return {};
  } catch (error) {
    processes.delete(processHandle);
    throw error;
  }
}

function toExit(result: LiveResult, reached: Record<"stdout" | "stderr", boolean>) {
  const { exitCode, stdout, stderr, capReached } = result;
  return {
    exitCode,
    outputDrainTimedOut: false,
    stdout,
    stdoutCapReached: capReached.stdout || reached.stdout,
    stderr: result.problem ?? stderr,
    stderrCapReached: capReached.stderr || reached.stderr,
  };
}

async function toRequest(
  params: ProcessSpawnParams,
  connection: Connection,
  reached: Record<"stdout" | "stderr", boolean>,
): Promise<LiveRequest> {
  const { processHandle, tty = false, size, outputBytesCap, timeoutMs } = params;
  const { server } = connection;
  const { parts } = server;
  const open = { mode: "danger-full-access" } as const;
  const requirements = await parts.loadRequirements();
  requirements?.assertAllowed({ sandbox_policy: open }, "process/spawn has no sandbox");
  const config = await parts.loadConfig({ type: "configure_session", cwd: params.cwd });
  const unconfined = await withSandboxPolicy(config, open);
  const policy = await withDeniedFiles(enforcedPolicy(unconfined), server);
  const streams = tty || params.streamStdoutStderr === true;
  const maxBytes = streams ? Number.MAX_SAFE_INTEGER : limits.capturedBytes;
  const cap = outputBytesCap === null ? maxBytes : (outputBytesCap ?? limits.usualCapBytes);
  return {
    argv: params.command,
    cwd: params.cwd,
    policy,
    environment: config.shell_environment_policy,
    variables: params.env ?? {},
    terminal: tty ? toSize(size ?? { rows: 24, cols: 80 }) : undefined,
    input: params.streamStdin === true,
    timeoutMs: timeoutMs === null ? undefined : (timeoutMs ?? limits.usualTimeoutMs),
    capBytes: Math.min(cap, maxBytes),
    onOutput: streams
      ? (stream, chunk, capReached) => {
          reached[stream] ||= capReached;
          const deltaBase64 = chunk.toString("base64");
          const delta = { processHandle, stream, deltaBase64, capReached };
          connection.notify("process/outputDelta", delta);
          return connection.peer.room();
        }
      : undefined,
  };
}

function check({ command, processHandle, cwd, size, tty }: ProcessSpawnParams): void {
  if (command.length === 0) throw refused("command must not be empty");
  if (processHandle === "") throw refused("processHandle must not be empty");
  if (!isAbsolute(cwd)) {
    throw refused(
      `Expected \`cwd\` of process/spawn to be an absolute path (got ${JSON.stringify(cwd)})`,
    );
  }
  if (size !== undefined && tty !== true) throw invalid("process/spawn size requires tty: true");
}
