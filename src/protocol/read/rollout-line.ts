import type { Check } from "../checks/check.js";
import {
  checkCompactedItem,
  checkSessionMetaLine,
  checkTurnContextItem,
} from "../checks/rollout.generated.js";
import { CodexError } from "../error.js";
import type { RolloutLine } from "../rollout.js";
import { assertDepth, fitting, isRecord, type JsonRecord } from "./check.js";
import { parseEventMsg } from "./event.js";
import { parseResponseItem } from "./items.js";
import { toAskForApproval, toSandboxPolicy } from "./policy.js";
import { assertValid } from "./problem.js";

/**
 * Reads a line of a rollout file of any version.
 *
 * Throws `unsupported` for an unknown type and `invalid_request` for a missing required field; readers
 * of whole files skip both.
 */
export function parseRolloutLine(value: unknown): RolloutLine {
  assertDepth(value);
  if (!isRecord(value) || typeof value.timestamp !== "string") {
    throw new CodexError("invalid_request", "A rollout line must be an object with a timestamp.");
  }
  const { type, payload } = toItem(value);
  const line = { timestamp: value.timestamp, type, payload: readPayload(type, payload) };
  return line as RolloutLine;
}

/** Returns type and payload, found on the line, under `item`, or as the only field of `item`. */
function toItem(line: JsonRecord): { type: unknown; payload: unknown } {
  if (!isRecord(line.item)) return { type: line.type, payload: line.payload };
  if (typeof line.item.type === "string")
    return { type: line.item.type, payload: line.item.payload };
  const [[type, payload] = [undefined, undefined]] = Object.entries(line.item);
  return { type, payload };
}

function readPayload(type: unknown, payload: unknown): unknown {
  switch (type) {
    case "session_meta":
      return checked(checkSessionMetaLine, toSessionMeta(payload), type);
    case "response_item":
      return parseResponseItem(payload);
    case "compacted":
      return toCompacted(checked(checkCompactedItem, payload, type) as JsonRecord);
    case "turn_context":
      return checked(checkTurnContextItem, toTurnContext(payload), type);
    case "event_msg":
      return parseEventMsg(payload);
    default:
      throw new CodexError(
        "unsupported",
        `Rollout lines of type ${JSON.stringify(type)} are not known.`,
      );
  }
}

function checked(check: Check, payload: unknown, name: string): unknown {
  const fit = fitting(check, payload);
  assertValid(check, fit, name);
  return fit;
}

/** The specification nests the fields under `meta`; files have them next to `git`. */
function toSessionMeta(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { meta, ...rest } = payload;
  return isRecord(meta) ? { ...meta, ...rest } : payload;
}

function toTurnContext(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  return {
    ...payload,
    approval_policy: toAskForApproval(payload.approval_policy),
    sandbox_policy: toSandboxPolicy(payload.sandbox_policy),
  };
}

function toCompacted(payload: JsonRecord): JsonRecord {
  const { replacement_history, ...rest } = payload;
  if (!Array.isArray(replacement_history)) return payload;
  return { ...rest, replacement_history: replacement_history.map(parseResponseItem) };
}
