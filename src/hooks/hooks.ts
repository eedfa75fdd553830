import type { HookRun } from "../protocol/types.js";

/** Events that hooks can follow, by the names in `hooks.json`. */
export type HookEventName =
  | "SessionStart"
  | "SessionEnd"
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PermissionRequest"
  | "PostToolUse"
  | "PreCompact"
  | "PostCompact"
  | "SubagentStart"
  | "SubagentStop"
  | "Stop"
  | "Interrupt"
  | "PreModelRequest"
  | "PostModelRequest";

/** One occurrence of an event, as the engine passes it to the hooks. */
export interface HookCall {
  event: HookEventName;
  /** Matched by the matchers: the tool's names (`["apply_patch", "Edit", "Write"]`), the source or the trigger. */
  names?: readonly string[];
  /** Hooks whose matchers accept one of these names are skipped: they have run for the same call. */
  unless?: readonly string[];
  /** Call id of the tool, which becomes a part of the run ids. */
  callId?: string;
  turnId?: string;
  cwd: string;
  /** The object for standard input, complete. */
  input: Readonly<Record<string, unknown>>;
}

/** What the hooks of one event decided together. */
export interface HookOutcome {
  /** One deny is enough; the reason of the first in declared order. */
  blocked?: { reason: string; runId: string };
  /** Every deny, in declared order, for events that pass all reasons to the model (`Stop`, `PostToolUse`). */
  blocks?: readonly { reason: string; runId: string }[];
  /** `continue: false`, with its reason. */
  stopped?: { reason: string };
  /** Of `PermissionRequest`. */
  permission?: { behavior: "allow" } | { behavior: "deny"; message: string };
  /** Input that replaces that of the call. */
  updatedInput?: unknown;
  /** Texts for the model, in declared order, already limited in length. */
  contexts: readonly string[];
}

/** The hooks of a session that are trusted and enabled. A session without hooks has none of it. */
export interface Hooks {
  /** Returns true if a hook follows the event; cheap, so that callers build no input in vain. */
  has(event: HookEventName): boolean;
  /** Runs the matching hooks at the same time. Never rejects, except if the signal is aborted. */
  run(call: HookCall, signal: AbortSignal): Promise<HookOutcome>;
  /** Ends the hooks that still run. */
  close(): Promise<void>;
}

/** What hooks need from the session that runs them. */
export interface HookServices {
  sessionId: string;
  /** Reports a run when it starts and when it ends. */
  started(run: HookRun, turnId: string | undefined): void;
  completed(run: HookRun, turnId: string | undefined): void;
  /** Shows the user a warning. */
  warn(message: string): void;
  /** Calls a tool of an MCP server, for `mcp_tool` hooks; returns its result. */
  callMcpTool(server: string, tool: string, args: unknown, signal: AbortSignal): Promise<unknown>;
  now(): number;
}

/** A hook that is a function of the embedding program. Returns the object that a command would print. */
export type HookFunction = (
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => unknown | Promise<unknown>;

/** A function of the embedding program with its options. */
export interface FunctionHook {
  run: HookFunction;
  /** As in `hooks.json`; default: all names. */
  matcher?: string;
  /** Time limit in seconds; default: that of the event. */
  timeoutSec?: number;
  /** Effect of a failure; `continue` is the default. */
  onFailure?: "deny" | "continue";
}

/** Functions of the embedding program by event; they run after the hooks of files. */
export type HookFunctions = Readonly<
  Partial<Record<HookEventName, readonly (HookFunction | FunctionHook)[]>>
>;
