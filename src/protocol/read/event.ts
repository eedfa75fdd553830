import type { CheckError } from "../checks/check.js";
import { checkEvent, checkEventMsg, checkFileChange } from "../checks/events.generated.js";
import { checkHistoryEntry } from "../checks/items.generated.js";
import { CodexError } from "../error.js";
import type { Event } from "../sqeq/event.js";
import type { FileChange } from "../sqeq/events/patch.js";
import type { HistoryEntry } from "../sqeq/events/session.js";
import type { EventMsg } from "../sqeq/events.generated.js";
import {
  assertDepth,
  changeFields,
  fitting,
  isRecord,
  type JsonRecord,
  renameFields,
} from "./check.js";
import { toAskForApproval, toSandboxPolicy } from "./policy.js";
import { assertValid, findProblem } from "./problem.js";

/**
 * Reads an event of any era.
 *
 * Unknown types and enum values pass unchanged, because the protocol grows. Throws if a known event
 * lacks a required field.
 */
export function parseEvent(value: unknown): Event {
  assertDepth(value);
  if (!isRecord(value) || typeof value.id !== "string") {
    throw new CodexError("invalid_request", 'An event must be an object: {"id": …, "msg": …}.');
  }
  return { ...value, id: value.id, msg: readMsg(value.msg, "msg") };
}

/** Reads an event payload, as in `msg` and in rollouts. */
export function parseEventMsg(value: unknown): EventMsg {
  assertDepth(value);
  return readMsg(value, "event");
}

/** Returns the schema violation of an event, if any; for tests and writers. */
export function findEventProblem(value: unknown): string | undefined {
  return findProblem(checkEvent, value, "event")?.message;
}

function readMsg(value: unknown, name: string): EventMsg {
  if (!isRecord(value) || typeof value.type !== "string") {
    const message = `${name} must be an object whose type is a string.`;
    throw new CodexError("invalid_request", message, { data: { path: name } });
  }
  const msg = fitting(checkEventMsg, toEventMsg(value));
  if (checkEventMsg(msg)) return msg as EventMsg;
  const error = checkEventMsg.errors?.[0];
  if (error?.keyword === "discriminator" && error.instancePath === "") return value as EventMsg;
  if (!isNewerWord(error)) assertValid(checkEventMsg, msg, name);
  return msg as EventMsg;
}

/** Checks that the only problem is an enum value or tag of a newer version. */
function isNewerWord(error: CheckError | undefined): boolean {
  if (error?.keyword === "discriminator") return error.params.error === "mapping";
  return error?.keyword === "enum";
}

/** Normalizes an event of any era without validation. */
function toEventMsg(value: unknown): unknown {
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

/** Reads an entry of the message history, from its file (`session_id`) or from an event. */
export function parseHistoryEntry(value: unknown): HistoryEntry {
  const entry = toHistoryEntry(value);
  assertValid(checkHistoryEntry, entry, "history entry");
  return entry as HistoryEntry;
}

/** Normalizes a history entry without validation. */
function toHistoryEntry(value: unknown): unknown {
  return isRecord(value) ? renameFields(value, { session_id: "conversation_id" }) : value;
}

/** Normalizes an MCP result without validation: the result itself, or the error text. */
export function toMcpResult(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, "Ok")) return toMcpResult(value.Ok);
  if (Object.hasOwn(value, "Err")) return value.Err;
  const isNoFlag = (name: string, field: unknown) => name === "isError" && field === null;
  return changeFields(renameFields(value, fieldNames), (name, field) =>
    isNoFlag(name, field) ? undefined : field,
  );
}

const fieldNames = { is_error: "isError", structured_content: "structuredContent" };

/** Reads a file change: `{"type":"add",…}` or `{"add":{…}}`. */
export function parseFileChange(value: unknown, name = "change"): FileChange {
  const change = toFileChange(value);
  assertValid(checkFileChange, change, name);
  return change as FileChange;
}

/** Normalizes a map of file changes without validation. */
function toFileChanges(value: unknown): unknown {
  return isRecord(value) ? changeFields(value, (_, change) => toFileChange(change)) : value;
}

function toFileChange(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value.type === "string") return value;
  for (const type of ["add", "delete", "update"]) {
    const fields = Object.hasOwn(value, type) ? value[type] : undefined;
    if (isRecord(fields)) return { type, ...fields } satisfies JsonRecord;
  }
  return value;
}
