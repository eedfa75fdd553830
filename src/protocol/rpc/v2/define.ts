import type { Check } from "../../checks/check.js";
import { checkedMethod, type RpcMethod } from "../method.js";
import { toV2Params } from "./read.js";

/** Creates a v2 method; only generated code calls it. `nullable` names the params in which `null` is a value. */
export function v2Method<Params>(
  name: string,
  valid: Check,
  nullable: readonly string[] = [],
): RpcMethod<Params> {
  return checkedMethod({ name, read: (params) => toV2Params(params, nullable), valid });
}
