import type { Check } from "../checks/check.js";
import { CodexError } from "../error.js";
import { assertDepth, changeFields, isRecord, type JsonRecord } from "../read/check.js";
import { assertValid } from "../read/problem.js";

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
interface ParamCheck {
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

/** Creates a v2 method; only generated code calls it. `nullable` names the params in which `null` is a value. */
export function v2Method<Params>(
  name: string,
  valid: Check,
  nullable: readonly string[] = [],
): RpcMethod<Params> {
  return checkedMethod({ name, read: (params) => toV2Params(params, nullable), valid });
}

/** Normalizes params: drops `null`s except in `nullable` fields. Unknown fields are kept. */
function toV2Params(params: JsonRecord, nullable: readonly string[]): JsonRecord {
  return changeFields(params, (name, value) =>
    value === null && !nullable.includes(name) ? undefined : value,
  );
}
