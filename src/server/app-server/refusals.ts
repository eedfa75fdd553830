import type { RpcBehavior } from "../../compat/index.js";
import { type MethodErrors, RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { errorText } from "../../lib/errors.js";
import { nearest } from "../../lib/nearest.js";
import { CodexError } from "../../protocol/error.js";
import { unsupported } from "../../protocol/rpc/v2/unsupported.js";

/** How the app-server refuses what it does not understand: with one code, and the reason if the era says it. */
export function refusals({ errorDetail }: RpcBehavior): MethodErrors {
  return {
    unknownMethod(name, known) {
      const why = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
      if (why !== undefined) return notSupported(name, why);
      return refuse(unknownMethod[errorDetail](name.slice(0, 80), known));
    },
    invalidParams: (_name, problem) => refuse(invalidParams[errorDetail](problem)),
  };
}

/** A method that others have: clients that can do without it look for this code. */
function notSupported(name: string, why: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `\`${name}\` is not supported. ${why}`);
}

type Forms<Args extends unknown[]> = Record<
  RpcBehavior["errorDetail"],
  (...args: Args) => string | undefined
>;

const unknownMethod: Forms<[name: string, known: readonly string[]]> = {
  bare: () => undefined,
  parsed(name, known) {
    const list = ["initialize", ...known].map((one) => `\`${one}\``).join(", ");
    return `unknown variant \`${name}\`, expected one of ${list}`;
  },
  reasoned(name, known) {
    const near = nearest(name, known);
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    return `there is no method \`${name}\`.${hint}`;
  },
};

const invalidParams: Forms<[problem: unknown]> = {
  bare: () => undefined,
  parsed: (problem) => parsersWords(problem) ?? errorText(problem),
  reasoned(problem) {
    const words = parsersWords(problem);
    return words === undefined ? errorText(problem) : `${words} (${errorText(problem)})`;
  },
};

/** What the reference's parser would say, which clients may know. */
function parsersWords(problem: unknown): string | undefined {
  const cause = problem instanceof CodexError ? problem.cause : undefined;
  return typeof cause === "string" ? cause : undefined;
}

function refuse(reason: string | undefined): RpcError {
  const message = reason === undefined ? "Invalid request" : `Invalid request: ${reason}`;
  return new RpcError(rpcCodes.invalidRequest, message);
}
