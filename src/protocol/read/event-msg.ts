import { toFileChanges } from "./file-change.js";
import { toHistoryEntry } from "./history-entry.js";
import { toMcpResult } from "./mcp-result.js";
import { toAskForApproval, toSandboxPolicy } from "./policy.js";
import { changeFields, isRecord, type JsonRecord } from "./record.js";

/** Brings an event of any era into the one form, unchecked. */
export function toEventMsg(value: unknown): unknown {
  if (!isRecord(value) || typeof value.type !== "string") return value;
  const type = Object.hasOwn(newerTypes, value.type) ? newerTypes[value.type] : value.type;
  const msg = changeFields(value, toEventField);
  return { ...msg, type } satisfies JsonRecord;
}

function toEventField(name: string, field: unknown): unknown {
  switch (name) {
    case "changes":
      return toFileChanges(field);
    case "result":
      return toMcpResult(field);
    case "entry":
      return toHistoryEntry(field);
    case "sandbox_policy":
      return toSandboxPolicy(field);
    case "approval_policy":
      return toAskForApproval(field);
    case "initial_messages":
      return Array.isArray(field) ? field.map(toEventMsg) : field;
    default:
      return field;
  }
}

const newerTypes: Record<string, string> = {
  turn_started: "task_started",
  turn_complete: "task_complete",
};
