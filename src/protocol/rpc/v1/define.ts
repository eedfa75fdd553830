import type { Check } from "../../checks/check.js";
import { defineMethod, type RpcMethod } from "../method.js";
import { toV1Params } from "./read.js";

/** Defines a v1 method at run time; called by generated code only. */
export function defineV1Method<Params>(
  name: string,
  summary: string,
  valid: Check,
): RpcMethod<Params> {
  return defineMethod<Params>({ name, summary, read: toV1Params, valid });
}
