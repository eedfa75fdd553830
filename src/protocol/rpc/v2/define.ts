import type { Check } from "../../checks/check.js";
import { defineMethod, type RpcMethod } from "../method.js";
import { toV2Params } from "./read.js";

/** Defines a v2 method at run time; called by generated code only. */
export function defineV2Method<Params>(
  name: string,
  summary: string,
  valid: Check,
  nullable: readonly string[] = [],
): RpcMethod<Params> {
  return defineMethod<Params>({
    name,
    summary,
    read: (params) => toV2Params(params, nullable),
    valid,
  });
}
