import type { Check } from "../checks/check.js";
import { CodexError } from "../error.js";
import { assertDepth } from "../read/depth.js";
import { assertValid } from "../read/problem.js";
import { isRecord, type JsonRecord } from "../read/record.js";

/** A JSON-RPC method: its name, what it is for, and how its params are read. */
export interface RpcMethod<Params> {
  readonly name: string;
  readonly summary: string;
  /** Returns the params in the one form; throws a `CodexError` that says what is wrong. */
  check(params: unknown): Params;
}

/** What a method is declared with. */
export interface MethodDeclaration {
  name: string;
  summary: string;
  /** Brings params of any spelling into the one form, unchecked. */
  read: (params: JsonRecord) => JsonRecord;
  valid: Check;
}

/** Declares a method that takes params. */
export function defineMethod<Params>(declaration: MethodDeclaration): RpcMethod<Params> {
  const { name, summary, read, valid } = declaration;
  return {
    name,
    summary,
    check(params) {
      if (params !== undefined && params !== null && !isRecord(params)) {
        throw new CodexError("invalid_request", `params of ${name} must be an object.`);
      }
      assertDepth(params);
      const value = read(params ?? {});
      assertValid(valid, value, "params");
      return value as Params;
    },
  };
}

/** Declares a method that takes no params; whatever comes as such is not looked at. */
export function defineBareMethod(name: string, summary: string): RpcMethod<void> {
  return { name, summary, check: () => undefined };
}
