import type { HookEventName } from "./hooks.js";
import { isRecord } from "./problems.js";

/** Type of a field: a text, a flag, anything, one of some words, or an object. */
type Field = "text" | "flag" | "any" | readonly string[] | Fields;
interface Fields {
  readonly [name: string]: Field;
}

/** Fields that the answers to an event may have. */
interface AnswerFields {
  top: Fields;
  /** Fields of `hookSpecificOutput` besides `hookEventName`, which must be the event. */
  specific?: Fields;
}

const common: Fields = {
  continue: "flag",
  stopReason: "text",
  suppressOutput: "flag",
  systemMessage: "text",
};
const withBlock: Fields = { ...common, decision: ["block"], reason: "text" };
const contextOnly: AnswerFields = { top: common, specific: { additionalContext: "text" } };

const fieldsOf: Readonly<Partial<Record<HookEventName, AnswerFields>>> = {
  PreToolUse: {
    top: { ...common, decision: ["approve", "block"], reason: "text" },
    specific: {
      additionalContext: "text",
      permissionDecision: ["allow", "deny", "ask"],
      permissionDecisionReason: "text",
      updatedInput: "any",
    },
  },
  PostToolUse: {
    top: withBlock,
    specific: { additionalContext: "text", updatedMCPToolOutput: "any" },
  },
  PermissionRequest: {
    top: common,
    specific: {
      decision: {
        behavior: ["allow", "deny"],
        message: "text",
        interrupt: "flag",
        updatedInput: "any",
        updatedPermissions: "any",
      },
    },
  },
  UserPromptSubmit: { top: withBlock, specific: { additionalContext: "text" } },
  Stop: { top: withBlock },
  SubagentStop: { top: withBlock },
  SessionStart: contextOnly,
  SubagentStart: contextOnly,
};

/** An answer whose fields have the right types. */
export interface AnswerObject {
  continue?: boolean;
  stopReason?: string;
  suppressOutput?: boolean;
  systemMessage?: string;
  decision?: "approve" | "block";
  reason?: string;
  hookSpecificOutput?: {
    additionalContext?: string;
    permissionDecision?: "allow" | "deny" | "ask";
    permissionDecisionReason?: string;
    updatedInput?: unknown;
    updatedMCPToolOutput?: unknown;
    decision?: {
      behavior: "allow" | "deny";
      message?: string;
      interrupt?: boolean;
      updatedInput?: unknown;
      updatedPermissions?: unknown;
    };
  };
}

/** Parses the answer to an event; undefined if it is not an object with known fields only. */
export function parseAnswer(event: HookEventName, text: string): AnswerObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { top, specific } = fieldsOf[event] ?? { top: common };
  const all: Fields =
    specific === undefined
      ? top
      : { ...top, hookSpecificOutput: { ...specific, hookEventName: [event] } };
  if (!isRecord(value) || !isValid(value, all)) return undefined;
  const answer = withoutNulls(value);
  const { hookSpecificOutput: own } = answer as { hookSpecificOutput?: Record<string, unknown> };
  const decision = own?.decision as { behavior?: string } | undefined;
  const isComplete =
    (own === undefined || own.hookEventName === event) &&
    (decision === undefined || decision.behavior !== undefined);
  return isComplete ? (answer as AnswerObject) : undefined;
}

function isValid(value: unknown, field: Field): boolean {
  if (field === "any") return true;
  if (field === "flag") return typeof value === "boolean";
  // An absent text, word or object may also be written as null.
  if (value === null) return true;
  if (field === "text") return typeof value === "string";
  if (Array.isArray(field)) return field.includes(value);
  const fields = field as Fields;
  return (
    isRecord(value) &&
    Object.entries(value).every(([key, entry]) => {
      const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
      return inner !== undefined && isValid(entry, inner);
    })
  );
}

/** Removes nulls of our own fields; those in `updatedInput` are values. */
function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== null)
    .map(([key, entry]) => [
      key,
      isRecord(entry) && !key.startsWith("updated") ? withoutNulls(entry) : entry,
    ]);
  return Object.fromEntries(entries);
}
