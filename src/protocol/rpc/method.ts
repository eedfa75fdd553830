import type { Check } from "../checks/check.js";
import { CodexError } from "../error.js";
import { assertDepth } from "../read/depth.js";
import { assertValid } from "../read/problem.js";
import { isRecord, type JsonRecord } from "../read/record.js";

/** A method that clients call, as the server needs it at run time. */
export interface RpcMethod<Params> {
  readonly name: string;
  /** Returns the params, normalized; throws a `CodexError` that names the field and the expectation. */
  check(params: unknown): Params;
}

/** The methods of a type map from name to `{ params, result }`. */
export type RpcMethods<Methods extends { [Name in keyof Methods]: { params: unknown } }> = {
  readonly [Name in keyof Methods]: RpcMethod<Methods[Name]["params"]>;
};

/** Parts of a method's param check. */
export interface ParamCheck {
  name: string;
  /** Normalizes the params: spelling of names and values, `null`s. It checks nothing. */
  read: (params: JsonRecord) => JsonRecord;
  valid: Check;
}

/** Creates a method that takes an object as params. */
export function checkedMethod<Params>({ name, read, valid }: ParamCheck): RpcMethod<Params> {
  return {
    name,
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

/** Creates a method without params; anything sent as params is ignored. */
export function bareMethod(name: string): RpcMethod<Record<string, never>> {
  return { name, check: () => ({}) };
}
