import { RequestError } from "@agentclientprotocol/sdk";
import { RpcError } from "../../jsonrpc/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";

/** Error for a request with a wrong parameter. */
export function invalidParams(message: string): RequestError {
  return new RequestError(-32602, message);
}

/** Error for an id of no open session. */
export function unknownSession(sessionId: string): RequestError {
  const id = JSON.stringify(sessionId.slice(0, 80));
  const remedy = "Open it with session/new, session/load or session/resume.";
  return new RequestError(-32002, `There is no open session ${id}. ${remedy}`);
}

/** Error for a request that needs a login. */
export function loginRequired(): RequestError {
  return new RequestError(-32000, "Not signed in. Call authenticate with one of the auth methods.");
}

/** Runs a handler; converts errors of the app-server to errors of ACP. */
export async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (error instanceof RpcError) throw new RequestError(error.code, error.message);
    if (error instanceof CodexError) throw invalidParams(error.message);
    throw new RequestError(-32603, errorText(error));
  }
}
