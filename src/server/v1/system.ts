import { resolve } from "node:path";
import { readUserSavedConfig, saveModel, withSandboxPolicy } from "../../config/index.js";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { readDiffToRemote } from "../../project/index.js";
import type {
  ExecArbitraryCommandResponse,
  ExecOneOffCommandParams,
} from "../../protocol/rpc/v1/system.js";
import { enforcedPolicy } from "../../sandbox/index.js";
import { withDeniedFiles } from "../methods/denied-files.js";
import type { Server } from "../server.js";
import type { V1Handlers } from "./handlers.js";

/** Handlers for the machine and the user's settings. */
export const systemHandlers = {
  getUserAgent: async (_, connection) => ({ userAgent: await connection.userAgent() }),
  getUserSavedConfig: async (_, { server }) => ({
    config: await readUserSavedConfig(server.parts.env),
  }),
  setDefaultModel: async ({ model, reasoningEffort }, { server }) => {
    await saveModel({ home: server.home }, { model, effort: reasoningEffort });
    return {};
  },
  gitDiffToRemote: async ({ cwd }, { server }) => {
    const { env, cwd: own } = server.parts;
    const found = await readDiffToRemote({ cwd: resolve(own, cwd), env, home: server.home });
    if (found !== undefined) return found;
    const message = `failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`;
    throw new RpcError(rpcCodes.invalidRequest, message);
  },
  execOneOffCommand: (params, { server }, request) => runOnce(params, server, request.signal),
} satisfies Partial<V1Handlers>;

async function runOnce(
  { command, timeoutMs, cwd, sandboxPolicy }: ExecOneOffCommandParams,
  server: Server,
  signal: AbortSignal,
): Promise<ExecArbitraryCommandResponse> {
  if (command.length === 0) {
    throw new RpcError(rpcCodes.invalidRequest, "command must not be empty");
  }
  const { parts } = server;
  const loaded = await parts.loadConfig({ type: "configure_session" });
  loaded.requirements?.assertAllowed({ sandbox_policy: sandboxPolicy }, "invalid sandbox policy");
  const config = sandboxPolicy == null ? loaded : await withSandboxPolicy(loaded, sandboxPolicy);
  const result = await parts.runOneOff(
    {
      argv: command,
      cwd: resolve(config.cwd, cwd ?? "."),
      policy: await withDeniedFiles(enforcedPolicy(config), server),
      environment: config.shell_environment_policy,
      timeoutMs,
    },
    signal,
  );
  if (!("problem" in result)) return result;
  throw new RpcError(rpcCodes.internal, `exec failed: ${result.problem}`);
}
