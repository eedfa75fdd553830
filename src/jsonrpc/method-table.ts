import { errorText } from "../lib/errors.js";
import type { RpcRequest } from "./answers.js";
import { RpcError, rpcCodes } from "./error.js";

/** Constraint of a type map from method name to `{ params, result }`, such as `V2Methods`. */
export type MethodMap<Methods> = { [Name in keyof Methods]: { params: unknown; result: unknown } };

/**
 * Handles a request whose params passed their check.
 *
 * An error that it throws becomes the error of the reply.
 */
export type MethodHandler<Method extends { params: unknown; result: unknown }, Context> = (
  params: Method["params"],
  context: Context,
  request: RpcRequest,
) => Method["result"] | Promise<Method["result"]>;

/** One handler for each method of a map: a missing handler or a wrong result does not compile. */
export type Handlers<Methods extends MethodMap<Methods>, Context> = {
  [Name in keyof Methods]: MethodHandler<Methods[Name], Context>;
};

/** Param checks by method; each returns the params or throws. Without a check, params are passed as received. */
export type ParamChecks<Methods extends MethodMap<Methods>> = {
  readonly [Name in keyof Methods]: { check?(params: unknown): Methods[Name]["params"] };
};

/** Errors that a surface replies with to requests that no handler can take. */
export interface MethodErrors {
  unknownMethod(name: string, known: readonly string[]): RpcError;
  invalidParams(name: string, problem: unknown): RpcError;
}

/** Routes requests of a surface to their handlers, after checking the params. */
export class MethodTable<Context> {
  #methods = new Map<string, (request: RpcRequest, context: Context) => unknown>();
  #errors: MethodErrors;

  constructor(errors: MethodErrors = standardErrors) {
    this.#errors = errors;
  }

  /**
   * Adds methods with their checks and handlers; those that `isOffered` rejects stay unknown.
   * Throws if a method already has a handler.
   */
  add<Methods extends MethodMap<Methods>>(
    checks: ParamChecks<Methods>,
    handlers: Handlers<Methods, Context>,
    isOffered: (name: string) => boolean = () => true,
  ): this {
    for (const name in handlers) {
      if (!isOffered(name)) continue;
      if (this.#methods.has(name)) throw new TypeError(`${name} already has a handler`);
      const check = checks[name].check;
      const handle = handlers[name];
      this.#methods.set(name, (request, context) =>
        handle(this.#checked(name, check, request.params), context, request),
      );
    }
    return this;
  }

  get names(): string[] {
    return [...this.#methods.keys()];
  }

  has(name: string): boolean {
    return this.#methods.has(name);
  }

  /** Calls the handler of a request, or throws the error of the surface. */
  call(request: RpcRequest, context: Context): unknown {
    const method = this.#methods.get(request.method);
    if (method !== undefined) return method(request, context);
    throw this.#errors.unknownMethod(request.method, this.names);
  }

  #checked<Params>(
    name: string,
    check: ((params: unknown) => Params) | undefined,
    params: unknown,
  ): Params {
    if (check === undefined) return params as Params;
    try {
      return check(params);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw this.#errors.invalidParams(name, error);
    }
  }
}

/** Errors with the codes that JSON-RPC defines. */
export const standardErrors: MethodErrors = {
  unknownMethod: (name) => new RpcError(rpcCodes.methodNotFound, `Unknown method \`${name}\``),
  invalidParams(name, problem) {
    const reason = errorText(problem);
    return new RpcError(rpcCodes.invalidParams, `Bad params for \`${name}\`: ${reason}`);
  },
};
