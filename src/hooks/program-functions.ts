import { nearest } from "../lib/nearest.js";
import { CodexError } from "../protocol/error.js";
import { hookEventNames, hookEvents } from "./events.js";
import type { FunctionHook, HookEventName, HookFunctions } from "./hooks.js";
import { compileMatcher } from "./matcher.js";
import { isRecord, shown } from "./problems.js";
import type { ProgramHooks } from "./program-hooks.js";

/** Converts the hooks of a program; throws a `CodexError` if something in them is not understood. */
export function toHookFunctions(hooks: ProgramHooks): HookFunctions {
  const { onFailure, ...byEvent } = hooks;
  checkFailure(onFailure, "hooks");
  const entries = Object.entries(byEvent).flatMap(([name, given]) => {
    if (given === undefined) return [];
    const event = eventOf(name);
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    return [[event, list.map((one) => toFunctionHook(one, { event, name, onFailure }))] as const];
  });
  return Object.fromEntries(entries);
}

function eventOf(name: string): HookEventName {
  const found = hookEventNames.find((event) => optionOf(event) === name);
  if (found !== undefined) return found;
  const known = [...hookEventNames.map(optionOf), "onFailure"];
  const near = nearest(name, known);
  const hint = near === undefined ? `expected ${known.join(", ")}` : `did you mean ${near}?`;
  throw invalid(`Unknown hook \`hooks.${name}\` (${hint})`);
}

function optionOf(event: HookEventName): string {
  return `${event.charAt(0).toLowerCase()}${event.slice(1)}`;
}

interface Place {
  event: HookEventName;
  name: string;
  onFailure: "continue" | "deny" | undefined;
}

type AnyHook = (input: unknown, context: { signal: AbortSignal }) => unknown;

function toFunctionHook(given: unknown, { event, name, onFailure }: Place): FunctionHook {
  const hook = typeof given === "function" ? { run: given } : given;
  const place = `hooks.${name}`;
  if (!isRecord(hook) || typeof hook.run !== "function") {
    throw invalid(`Expected \`${place}\` to be a function, or an object with \`run\``);
  }
  const { run, matcher, timeoutSec, onFailure: own = onFailure, ...unknown } = hook;
  const [key] = Object.keys(unknown);
  if (key !== undefined) {
    throw invalid(
      `Unknown option \`${place}.${key}\` (expected run, matcher, timeoutSec, onFailure)`,
    );
  }
  checkFailure(own, place);
  if (own === "deny" && hook.onFailure !== undefined && !hookEvents[event].canDeny) {
    throw invalid(`\`${place}.onFailure\` cannot be "deny": ${event} hooks cannot block anything`);
  }
  const call = run as AnyHook;
  return {
    run: async (input, signal) => toAnswer(event, name, await call(input, { signal })),
    ...(matcher === undefined ? {} : { matcher: checkMatcher(matcher, place) }),
    ...(timeoutSec === undefined ? {} : { timeoutSec: checkTimeout(timeoutSec, place) }),
    ...(own === undefined ? {} : { onFailure: own }),
  };
}

function checkFailure(
  value: unknown,
  place: string,
): asserts value is "continue" | "deny" | undefined {
  if (value === undefined || value === "continue" || value === "deny") return;
  throw invalid(`Expected \`${place}.onFailure\` to be "continue" or "deny" (got ${shown(value)})`);
}

function checkMatcher(value: unknown, place: string): string {
  try {
    if (typeof value !== "string") throw new TypeError("not a string");
    compileMatcher(value);
    return value;
  } catch (error) {
    const reason = (error as Error).message;
    throw invalid(`Expected \`${place}.matcher\` to be a regular expression: ${reason}`);
  }
}

function checkTimeout(value: unknown, place: string): number {
  if (typeof value === "number" && value > 0) return value;
  throw invalid(
    `Expected \`${place}.timeoutSec\` to be a number of seconds above 0 (got ${shown(value)})`,
  );
}

function invalid(message: string): CodexError {
  return new CodexError("invalid_request", message);
}

/** Types of the fields of answers. */
const fieldTypes = {
  deny: "string",
  allow: "boolean",
  input: "object",
  replaceResult: "string",
  continueWith: "string",
  context: "string",
  message: "string",
} as const;
type AnswerField = keyof typeof fieldTypes;

const fieldsOf: Readonly<Record<HookEventName, readonly AnswerField[]>> = {
  PreToolUse: ["deny", "input", "context", "message"],
  PermissionRequest: ["allow", "deny", "message"],
  PostToolUse: ["replaceResult", "context", "message"],
  UserPromptSubmit: ["deny", "context", "message"],
  SessionStart: ["deny", "context", "message"],
  SessionEnd: [],
  Stop: ["continueWith", "message"],
  SubagentStart: ["context", "message"],
  SubagentStop: ["continueWith", "message"],
  PreCompact: ["deny", "message"],
  PostCompact: ["message"],
  Interrupt: ["message"],
  PreModelRequest: [],
  PostModelRequest: [],
};

type Answer = Partial<Record<AnswerField, unknown>>;

/** Converts an answer to the one that a command would print; throws if it is none. */
function toAnswer(event: HookEventName, name: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const fields = fieldsOf[event];
  const expected = fields.length === 0 ? "nothing" : `an object with ${fields.join(", ")}`;
  if (!isRecord(value)) {
    throw new TypeError(`expected ${name} to return ${expected} (got ${shown(value)})`);
  }
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    const type = fields.includes(key as AnswerField) ? fieldTypes[key as AnswerField] : undefined;
    if (type === undefined) {
      throw new TypeError(`expected ${name} to return ${expected} (got a field ${shown(key)})`);
    }
    if (typeof entry !== type || entry === null) {
      throw new TypeError(`expected ${name} to return ${type} as ${key} (got ${shown(entry)})`);
    }
  }
  return toCommandAnswer(event, value);
}

function toCommandAnswer(event: HookEventName, answer: Answer): object {
  const { message, context } = answer;
  const { top = {}, specific = {} } = decisionOf(event, answer);
  const own = {
    ...specific,
    ...(context === undefined ? {} : { additionalContext: context }),
  };
  return {
    ...(message === undefined ? {} : { systemMessage: message }),
    ...top,
    ...(Object.keys(own).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: event, ...own } }),
  };
}

function decisionOf(
  event: HookEventName,
  { deny, allow, input, replaceResult, continueWith }: Answer,
): { top?: object; specific?: object } {
  const reason = reasonOf(deny);
  if (event === "PermissionRequest") {
    if (reason !== undefined) {
      return { specific: { decision: { behavior: "deny", message: reason } } };
    }
    return allow === true ? { specific: { decision: { behavior: "allow" } } } : {};
  }
  if (event === "PreToolUse") {
    if (reason !== undefined) {
      return { specific: { permissionDecision: "deny", permissionDecisionReason: reason } };
    }
    return input === undefined
      ? {}
      : { specific: { permissionDecision: "allow", updatedInput: input } };
  }
  if (reason !== undefined && (event === "SessionStart" || event === "PreCompact")) {
    return { top: { continue: false, stopReason: reason } };
  }
  const block = reason ?? reasonOf(replaceResult) ?? reasonOf(continueWith);
  return block === undefined ? {} : { top: { decision: "block", reason: block } };
}

/** An empty reason denies too. */
function reasonOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.trim() === "" ? "no reason given" : value;
}
