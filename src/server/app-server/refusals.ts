import { type MethodErrors, RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { nearest } from "../../lib/nearest.js";
import type { RpcDialect } from "../../protocol/era.js";

/** How the app-server refuses what it does not understand: with one code, and the reason if the era says it. */
export function refusals({ refusal }: RpcDialect): MethodErrors {
  return {
    unknownMethod(name, known) {
      const near = nearest(name, known);
      const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
      return refuse(refusal, `there is no method \`${name.slice(0, 80)}\`.${hint}`);
    },
    invalidParams(_name, problem) {
      return refuse(refusal, problem instanceof Error ? problem.message : String(problem));
    },
  };
}

function refuse(form: RpcDialect["refusal"], reason: string): RpcError {
  const message = form === "bare" ? "Invalid request" : `Invalid request: ${reason}`;
  return new RpcError(rpcCodes.invalidRequest, message);
}
