import { resolve } from "node:path";
import { assertEnforceable, readUserSavedConfig, saveModel } from "../../config/index.js";
import { type MethodSink, RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { readDiffToRemote } from "../../project/index.js";
import {
  execOneOffCommand,
  getUserAgent,
  getUserSavedConfig,
  gitDiffToRemote,
  setDefaultModel,
} from "../../protocol/rpc/v1/methods.generated.js";
import type {
  ExecArbitraryCommandResponse,
  ExecOneOffCommandParams,
} from "../../protocol/rpc/v1/system.js";
import type { Server } from "../server.js";
import type { V1Connection } from "./connection.js";

/** The methods about this machine and the user's settings. */
export function addSystemMethods(methods: MethodSink<V1Connection>): void {
  methods
    .on(getUserAgent, async (_, connection) => ({ userAgent: await connection.userAgent() }))
    .on(getUserSavedConfig, async (_, { server }) => ({
      config: await readUserSavedConfig(server.parts.env),
    }))
    .on(setDefaultModel, async ({ model, reasoningEffort }, { server }) => {
      await saveModel({ home: server.home }, { model, effort: reasoningEffort });
      return {};
    })
    .on(gitDiffToRemote, async ({ cwd }, { server }) => {
      const { env, cwd: own } = server.parts;
      const found = await readDiffToRemote({ cwd: resolve(own, cwd), env, home: server.home });
      if (found !== undefined) return found;
      const message = `failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`;
      throw new RpcError(rpcCodes.invalidRequest, message);
    })
    .on(execOneOffCommand, (params, { server }, request) =>
      runOnce(params, server, request.signal),
    );
}

async function runOnce(
  { command, timeoutMs, cwd, sandboxPolicy }: ExecOneOffCommandParams,
  { parts }: Server,
  signal: AbortSignal,
): Promise<ExecArbitraryCommandResponse> {
  if (command.length === 0) {
    throw new RpcError(rpcCodes.invalidRequest, "command must not be empty");
  }
  const config = await parts.loadConfig({ type: "configure_session" });
  assertEnforceable(config);
  const result = await parts.runOneOff(
    {
      argv: command,
      cwd: resolve(config.cwd, cwd ?? "."),
      policy: sandboxPolicy ?? config.sandbox_policy,
      environment: config.shell_environment_policy,
      timeoutMs,
    },
    signal,
  );
  if (!("problem" in result)) return result;
  throw new RpcError(rpcCodes.internal, `exec failed: ${result.problem}`);
}
