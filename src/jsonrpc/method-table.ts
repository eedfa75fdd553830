import { errorText } from "../lib/error-text.js";
import { RpcError, rpcCodes } from "./error.js";
import type { RpcRequest } from "./request.js";

/** A method as its surface declares it; `check` returns the params or throws what is wrong. */
export interface MethodShape<Params> {
  name: string;
  check?(params: unknown): Params;
}

/** The words of a surface for requests that it cannot answer. */
export interface MethodErrors {
  unknownMethod(name: string, known: readonly string[]): RpcError;
  invalidParams(name: string, problem: unknown): RpcError;
}

/** Answers a request that passed its check; what it throws becomes the error of the reply. */
export type MethodHandler<Params, Context> = (
  params: Params,
  context: Context,
  request: RpcRequest,
) => unknown;

/** Where methods are added; one that gives its handlers more than these need will do. */
export interface MethodSink<Context> {
  on<Params>(
    method: MethodShape<Params>,
    handler: MethodHandler<Params, Context>,
  ): MethodSink<Context>;
}

/** The methods of a surface, each with its check and its handler. */
export class MethodTable<Context> implements MethodSink<Context> {
  #methods = new Map<string, (request: RpcRequest, context: Context) => unknown>();
  #errors: MethodErrors;

  constructor(errors: MethodErrors = standardErrors) {
    this.#errors = errors;
  }

  /** Adds a method; one name has one handler. */
  on<Params>(method: MethodShape<Params>, handler: MethodHandler<Params, Context>): this {
    if (this.#methods.has(method.name)) throw new TypeError(`${method.name} has a handler already`);
    this.#methods.set(method.name, (request, context) =>
      handler(this.#checked(method, request.params), context, request),
    );
    return this;
  }

  has(name: string): boolean {
    return this.#methods.has(name);
  }

  /** Answers a request, or throws the error of the surface for it. */
  call(request: RpcRequest, context: Context): unknown {
    const method = this.#methods.get(request.method);
    if (method !== undefined) return method(request, context);
    throw this.#errors.unknownMethod(request.method, [...this.#methods.keys()]);
  }

  #checked<Params>(method: MethodShape<Params>, params: unknown): Params {
    if (method.check === undefined) return params as Params;
    try {
      return method.check(params);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw this.#errors.invalidParams(method.name, error);
    }
  }
}

/** What JSON-RPC itself has for them. */
export const standardErrors: MethodErrors = {
  unknownMethod: (name) => new RpcError(rpcCodes.methodNotFound, `Unknown method \`${name}\``),
  invalidParams(name, problem) {
    const reason = errorText(problem);
    return new RpcError(rpcCodes.invalidParams, `Bad params for \`${name}\`: ${reason}`);
  },
};
