import { type MethodErrors, RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { nearest } from "../../lib/nearest.js";
import type { RpcDialect } from "../../protocol/era.js";
import { unsupported } from "../../protocol/rpc/v2/unsupported.js";

/** How the app-server refuses what it does not understand: with one code, and the reason if the era says it. */
export function refusals({ refusal }: RpcDialect): MethodErrors {
  return {
    unknownMethod(name, known) {
      const why = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
      if (why !== undefined) return notSupported(name, why);
      const near = nearest(name, known);
      const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
      return refuse(refusal, `there is no method \`${name.slice(0, 80)}\`.${hint}`);
    },
    invalidParams(_name, problem) {
      return refuse(refusal, problem instanceof Error ? problem.message : String(problem));
    },
  };
}

/** A method that others have: clients that can do without it look for this code. */
function notSupported(name: string, why: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `\`${name}\` is not supported. ${why}`);
}

function refuse(form: RpcDialect["refusal"], reason: string): RpcError {
  const message = form === "bare" ? "Invalid request" : `Invalid request: ${reason}`;
  return new RpcError(rpcCodes.invalidRequest, message);
}
