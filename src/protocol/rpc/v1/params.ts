import type { Check } from "../../checks/check.js";
import { CodexError } from "../../error.js";
import {
  changeFields,
  checkedMethod,
  isRecord,
  type JsonRecord,
  type RpcMethod,
} from "../../read/check.js";
import { toInputItems } from "../../read/items.js";
import { toAskForApproval, toSandboxPolicy } from "../../read/policy.js";

/**
 * Normalizes params: camelCase names, no `null`s, canonical values.
 *
 * The specification has names in snake_case, so both are accepted; camelCase wins.
 */
function toV1Params(params: JsonRecord): JsonRecord {
  const named: JsonRecord = {};
  for (const [name, value] of Object.entries(params)) {
    const proper = toCamelCase(name);
    if (name === "__proto__" || (proper !== name && Object.hasOwn(params, proper))) continue;
    named[proper] = value;
  }
  return changeFields(named, (name, value) => (value === null ? undefined : toField(name, value)));
}

function toField(name: string, value: unknown): unknown {
  switch (name) {
    case "items":
      return toInputItems(value);
    case "approvalPolicy":
      return toAskForApproval(value);
    case "sandboxPolicy":
      return toSandboxPolicy(value);
    case "overrides":
    case "clientInfo":
      return isRecord(value) ? toV1Params(value) : value;
    case "conversationId":
    case "subscriptionId":
    case "loginId":
      return requireUuid(name, value);
    default:
      return value;
  }
}

function requireUuid(name: string, value: unknown): unknown {
  if (typeof value !== "string" || uuid.test(value)) return value;
  const shown = JSON.stringify(value.slice(0, 80));
  throw new CodexError("invalid_request", `params.${name} must be a UUID, not ${shown}.`);
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Creates a v1 method; only generated code calls it. */
export function v1Method<Params>(name: string, valid: Check): RpcMethod<Params> {
  return checkedMethod({ name, read: toV1Params, valid });
}
