import { RpcError } from "../../client/index.js";
import { CodexError } from "../../protocol/error.js";
import { TransportError } from "../../transport/error.js";
import type { CommandIo } from "../command.js";
import type { ExecRequest } from "./exec-request.js";

/**
 * Why a run could not begin, as the program tells it.
 *
 * A server says it in words only. Whether it was a mistake in the settings, which has an exit code
 * of its own, is found out by reading them again.
 */
export async function explainFailure(
  error: unknown,
  { thread, remote }: ExecRequest,
  { env }: CommandIo,
): Promise<unknown> {
  if (error instanceof TransportError) return new CodexError("io", error.message, { cause: error });
  if (!(error instanceof RpcError)) return error;
  if (remote === undefined) {
    const { assertEnforceable, loadConfig } = await import("../../config/index.js");
    try {
      assertEnforceable(await loadConfig({ env, cwd: thread.cwd, overrides: thread.config }));
    } catch (problem) {
      if (problem instanceof CodexError) return problem;
    }
  }
  return new CodexError("invalid_request", error.message, { cause: error });
}
