import type { HookEventName } from "./hooks.js";

/** Rules of an event. */
export interface HookEventFacts {
  /** Its name in keys and run events. */
  key: string;
  /** Matchers apply to the names of the tool, the source, the trigger…; otherwise they are ignored. */
  hasMatcher: boolean;
  scope: "thread" | "turn";
  /** A hook can return `additionalContext`. */
  hasContext: boolean;
  /** A hook can prevent what follows. */
  canBlock: boolean;
  /** A failure can prevent what follows, if `on_failure` is `deny`. */
  canDeny: boolean;
  /** Default and maximum of the time limit in seconds. */
  timeout: { usual: number; most: number };
}

const long = { usual: 600, most: Number.MAX_SAFE_INTEGER };
/** These run while the session or the turn ends. */
const short = { usual: 1, most: 3 };

const plain = {
  hasMatcher: true,
  scope: "turn",
  hasContext: false,
  canBlock: false,
  canDeny: true,
  timeout: long,
} as const;

/** All events, in the order in which hooks of one file are numbered. */
export const hookEvents: Readonly<Record<HookEventName, HookEventFacts>> = {
  PreModelRequest: { ...plain, key: "pre_model_request", hasMatcher: false },
  PostModelRequest: { ...plain, key: "post_model_request", hasMatcher: false, canDeny: false },
  PreToolUse: { ...plain, key: "pre_tool_use", hasContext: true, canBlock: true },
  PermissionRequest: { ...plain, key: "permission_request", canBlock: true },
  PostToolUse: { ...plain, key: "post_tool_use", hasContext: true, canBlock: true },
  PreCompact: { ...plain, key: "pre_compact", canBlock: true },
  PostCompact: { ...plain, key: "post_compact", canBlock: true },
  SessionStart: {
    ...plain,
    key: "session_start",
    scope: "thread",
    hasContext: true,
    canBlock: true,
  },
  SessionEnd: { ...plain, key: "session_end", scope: "thread", canDeny: false, timeout: short },
  UserPromptSubmit: {
    ...plain,
    key: "user_prompt_submit",
    hasMatcher: false,
    hasContext: true,
    canBlock: true,
  },
  SubagentStart: { ...plain, key: "subagent_start", scope: "thread", hasContext: true },
  SubagentStop: { ...plain, key: "subagent_stop", canBlock: true },
  Stop: { ...plain, key: "stop", hasMatcher: false, canBlock: true },
  Interrupt: { ...plain, key: "interrupt", hasMatcher: false, canDeny: false, timeout: short },
};

/** Names of all events, in the same order. */
export const hookEventNames = Object.keys(hookEvents) as readonly HookEventName[];

/** Returns true if a text is the name of an event. */
export function isHookEvent(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name);
}
