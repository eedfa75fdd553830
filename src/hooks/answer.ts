import type { HookRunEntry } from "../protocol/types.js";
import { type AnswerObject, parseAnswer } from "./answer-fields.js";
import { forbidding, problemOf } from "./answer-problems.js";
import { hookEvents } from "./events.js";
import type { HookEventName } from "./hooks.js";

/** What came of a handler. */
export interface HandlerResult {
  /** Undefined if a signal ended it. */
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  /** The reason that it did not run to its end. */
  error?: string;
}

/** The decision of one hook. */
export interface HookAnswer {
  status: "completed" | "failed" | "blocked" | "stopped";
  entries: HookRunEntry[];
  /** Reason for blocking. */
  block?: string;
  /** Reason for stopping, as the model or the user gets it. */
  stop?: string;
  permission?: { behavior: "allow" } | { behavior: "deny"; message: string };
  updatedInput?: { value: unknown };
  context?: string;
  /** The hook allows what it was asked about, although its answer is reported as a failure. */
  isAllow?: true;
}

/** Events whose hooks block by exit code 2, and what their standard error then is. */
const exitTwo: Readonly<Partial<Record<HookEventName, string>>> = {
  PreToolUse: "a blocking reason",
  PostToolUse: "feedback",
  PermissionRequest: "a denial reason",
  UserPromptSubmit: "a blocking reason",
  Stop: "a continuation prompt",
  SubagentStop: "a continuation prompt",
};

/** Names of the answers in the errors of the reference. */
const labels: Readonly<Partial<Record<HookEventName, string>>> = {
  PreToolUse: "pre-tool-use",
  PostToolUse: "post-tool-use",
  PermissionRequest: "permission-request",
  SessionStart: "session start",
  SubagentStart: "subagent start",
  UserPromptSubmit: "user prompt submit",
  Stop: "stop hook",
  SubagentStop: "subagent stop hook",
  PreCompact: "PreCompact hook",
  PostCompact: "PostCompact hook",
  Interrupt: "interrupt hook",
};

/** Events whose hooks only observe: their output is not read. */
const observed = new Set<HookEventName>(["SessionEnd", "PreModelRequest", "PostModelRequest"]);
/** Events where plain text on standard output is context for the model. */
const plainContext = new Set<HookEventName>(["SessionStart", "SubagentStart", "UserPromptSubmit"]);
/** Events where plain text on standard output is a mistake. */
const jsonOnly = new Set<HookEventName>(["Stop", "SubagentStop", "Interrupt"]);
/** Events where standard error explains a failure. */
const explained = new Set<HookEventName>(["PreCompact", "PostCompact", "SessionEnd"]);

/** Reads the result of a handler as the answer to an event. */
export function readAnswer(event: HookEventName, result: HandlerResult): HookAnswer {
  const { exitCode, error } = result;
  if (error !== undefined) return failed(error);
  if (exitCode === undefined) return failed("hook exited without a status code");
  const stderr = result.stderr.trim();
  if (exitCode === 2 && exitTwo[event] !== undefined) {
    if (stderr !== "") return denied(event, stderr, []);
    if (forbidding.has(event)) return denied(event, unexplained(event), []);
    return failed(`${event} hook exited with code 2 but did not write ${exitTwo[event]} to stderr`);
  }
  if (exitCode !== 0) {
    const text = `hook exited with code ${exitCode}`;
    return failed(explained.has(event) && stderr !== "" ? stderr : text);
  }
  return observed.has(event) ? completed([]) : readOutput(event, result.stdout.trim());
}

/** Returns the answer of a hook that failed and whose failure denies, with the cause of that. */
export function denyFailure(
  event: HookEventName,
  answer: HookAnswer,
  input: Readonly<Record<string, unknown>>,
  because = 'its on_failure is "deny"',
): HookAnswer {
  if (!hookEvents[event].canDeny || answer.isAllow) return answer;
  // A turn would never end if its stop hook always fails.
  if (input.stop_hook_active === true) return answer;
  const cause = answer.entries.find(({ kind }) => kind === "error")?.text ?? "";
  const reason = `the hook failed (${cause}), and ${because}`;
  if (!stopping.has(event)) return denied(event, reason, answer.entries);
  const entries: HookRunEntry[] = [...answer.entries, { kind: "stop", text: reason }];
  return { status: "stopped", entries, stop: reason };
}

/** Events that hooks stop and do not block. */
const stopping = new Set<HookEventName>(["SessionStart", "PreCompact", "PostCompact"]);

function readOutput(event: HookEventName, text: string): HookAnswer {
  if (text === "") return completed([]);
  const answer = parseAnswer(event, text);
  if (answer !== undefined) return decide(event, answer);
  if (/^[{[]/.test(text) || jsonOnly.has(event)) {
    return failed(`hook returned invalid ${labels[event]} JSON output`);
  }
  return plainContext.has(event) ? withContext(completed([]), text) : completed([]);
}

function decide(event: HookEventName, answer: AnswerObject): HookAnswer {
  const { systemMessage, hookSpecificOutput: own = {} } = answer;
  const warnings: HookRunEntry[] =
    systemMessage === undefined ? [] : [{ kind: "warning", text: systemMessage }];
  const invalid = problemOf(event, answer);
  if (invalid !== undefined) {
    // It is reported, as in the reference, but it forbids nothing.
    const isAllow = own.permissionDecision === "allow" && own.updatedInput === undefined;
    return { ...failed(invalid, warnings), ...(isAllow ? { isAllow } : {}) };
  }
  const start = withContext(completed(warnings), own.additionalContext);
  if (answer.continue === false) return stopped(event, answer, start);
  if (answer.decision === "block" || own.permissionDecision === "deny") {
    const reasons = [own.permissionDecisionReason, answer.reason, unexplained(event)];
    const reason = reasons.find((text) => text !== undefined && text.trim() !== "") ?? "";
    return { ...start, ...denied(event, reason.trim(), start.entries) };
  }
  if (own.decision?.behavior === "deny") {
    const message = own.decision.message?.trim() || "PermissionRequest hook denied approval";
    return denied(event, message, start.entries);
  }
  if (own.decision?.behavior === "allow") return { ...start, permission: { behavior: "allow" } };
  return own.updatedInput === undefined
    ? start
    : { ...start, updatedInput: { value: own.updatedInput } };
}

function unexplained(event: HookEventName): string {
  return `the ${event} hook gave no reason`;
}

function stopped(event: HookEventName, answer: AnswerObject, start: HookAnswer): HookAnswer {
  if (event === "SubagentStart" || event === "Interrupt") return start;
  const usual = `${event} hook stopped execution`;
  const alwaysShown = event === "PostToolUse" || event.endsWith("Compact");
  const text = answer.stopReason ?? (alwaysShown ? usual : undefined);
  const entries: HookRunEntry[] =
    text === undefined ? start.entries : [...start.entries, { kind: "stop", text }];
  const feedback = event === "PostToolUse" ? answer.reason?.trim() : "";
  return { ...start, status: "stopped", entries, stop: feedback || text || usual };
}

function completed(entries: HookRunEntry[]): HookAnswer {
  return { status: "completed", entries };
}

function failed(text: string, before: readonly HookRunEntry[] = []): HookAnswer {
  return { status: "failed", entries: [...before, { kind: "error", text }] };
}

function denied(event: HookEventName, reason: string, before: readonly HookRunEntry[]): HookAnswer {
  const entries: HookRunEntry[] = [...before, { kind: "feedback", text: reason }];
  const decision =
    event === "PermissionRequest"
      ? { permission: { behavior: "deny" as const, message: reason } }
      : { block: reason };
  return { status: "blocked", entries, ...decision };
}

function withContext(answer: HookAnswer, context: string | undefined): HookAnswer {
  if (context === undefined) return answer;
  return { ...answer, context, entries: [...answer.entries, { kind: "context", text: context }] };
}
