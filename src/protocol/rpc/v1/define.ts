import type { Check } from "../../checks/check.js";
import { checkedMethod, type RpcMethod } from "../method.js";
import { toV1Params } from "./read.js";

/** Creates a v1 method; only generated code calls it. */
export function v1Method<Params>(name: string, valid: Check): RpcMethod<Params> {
  return checkedMethod({ name, read: toV1Params, valid });
}
