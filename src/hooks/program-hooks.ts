/** Fields that the input of every hook has. */
interface CommonInput {
  /** Id of the thread. */
  session_id: string;
  /** File of the recorded thread; null if it is not stored. */
  transcript_path: string | null;
  /** Working directory of the thread. */
  cwd: string;
}

/** Fields of events inside a turn. */
interface TurnInput extends CommonInput {
  turn_id: string;
  /** Name of the model. */
  model: string;
}

/** Fields of events with the approval policy. */
interface ModeInput extends TurnInput {
  /** `bypassPermissions` if the user is not asked for approvals. */
  permission_mode: "default" | "bypassPermissions";
}

/** A tool call before it runs. */
export interface PreToolUseInput extends ModeInput {
  /** The event. */
  hook_event_name: "PreToolUse";
  /** `Bash` for commands, `apply_patch` for patches, `mcp__SERVER__TOOL`, or the tool's own name. */
  tool_name: string;
  /** `{ command }` for commands and patches; otherwise the arguments of the tool. */
  tool_input: Readonly<Record<string, unknown>>;
  /** Id of the call. */
  tool_use_id: string;
}

/** A tool call that has a result. */
export interface PostToolUseInput extends Omit<PreToolUseInput, "hook_event_name"> {
  /** The event. */
  hook_event_name: "PostToolUse";
  /** Text of a command or patch; result of an MCP tool. */
  tool_response: unknown;
}

/** A tool call that needs an approval. */
export interface PermissionRequestInput
  extends Omit<PreToolUseInput, "hook_event_name" | "tool_use_id"> {
  /** The event. */
  hook_event_name: "PermissionRequest";
}

/** A message of the user. */
export interface UserPromptSubmitInput extends ModeInput {
  /** The event. */
  hook_event_name: "UserPromptSubmit";
  /** The text of the user. */
  prompt: string;
}

/** The first turn of a conversation. */
export interface SessionStartInput extends Omit<ModeInput, "turn_id"> {
  /** The event. */
  hook_event_name: "SessionStart";
  /** How the session came to be. */
  source: "startup" | "resume" | "fork" | "compact";
}

/** The end of a session. */
export interface SessionEndInput extends CommonInput {
  /** The event. */
  hook_event_name: "SessionEnd";
  /** Why the session ends. */
  reason: string;
}

/** The model has nothing more to do. */
export interface StopInput extends ModeInput {
  /** The event. */
  hook_event_name: "Stop";
  /** True if a hook has continued this turn before. */
  stop_hook_active: boolean;
  /** The last message of the model; null if there is none. */
  last_assistant_message: string | null;
}

/** A helper agent starts or is done. */
export interface SubagentInput extends ModeInput {
  /** The event. */
  hook_event_name: "SubagentStart" | "SubagentStop";
  /** The id of the agent. */
  agent_id: string;
  /** The role of the agent. */
  agent_type: string;
}

/** A compaction. */
export interface CompactInput extends TurnInput {
  /** The event. */
  hook_event_name: "PreCompact" | "PostCompact";
  /** Whether the user asked for it or the context was nearly full. */
  trigger: "manual" | "auto";
}

/** A request to the model that is about to be made, or an interrupt. */
export interface TurnEventInput extends TurnInput {
  /** The event. */
  hook_event_name: "PreModelRequest" | "Interrupt";
}

/** A request to the model that has ended. */
export interface PostModelRequestInput extends TurnInput {
  /** The event. */
  hook_event_name: "PostModelRequest";
  /** The outcome of the request. */
  status: "completed" | "failed";
  /** Why the request failed; null if it completed. */
  error: string | null;
  /** The tokens of the request; null if the server did not report them. */
  token_usage: Readonly<Record<string, number>> | null;
}

/** Part of every answer. */
interface Message {
  /** Text for the user. */
  message?: string;
}
interface Context extends Message {
  /** Text for the model, as a developer message. */
  context?: string;
}
interface Deny {
  /** Blocks it. The text is the reason: for the model, or for the user if the model is not asked. */
  deny?: string;
}

/** Answer to `preToolUse`. */
export interface PreToolUseAnswer extends Context, Deny {
  /** Replaces the input: `{ command }` for commands and patches, else the arguments of the tool. */
  input?: Readonly<Record<string, unknown>>;
}

/** Answer to `permissionRequest`; without `allow` and `deny` the user is asked. */
export interface PermissionRequestAnswer extends Message, Deny {
  /** Runs the call without asking. */
  allow?: true;
}

/** Answer to `postToolUse`. */
export interface PostToolUseAnswer extends Context {
  /** The model gets this text instead of the result. */
  replaceResult?: string;
}

/** Answer to `stop` and `subagentStop`. */
export interface StopAnswer extends Message {
  /** Continues the turn; the model gets the text. */
  continueWith?: string;
}

/** Answer to events that can be blocked and take context. */
export interface BlockingAnswer extends Context, Deny {}
/** Answer to `preCompact`. */
export interface PreCompactAnswer extends Message, Deny {}
/** Answer to events that can only be observed. */
export type MessageAnswer = Message;
/** Answer to `subagentStart`. */
export type ContextAnswer = Context;

/** A hook as a function. To return nothing is to continue; to throw is a failure of the hook. */
export type HookOf<Input, Answer> = (
  input: Input,
  /** `signal` aborts at the time limit, and when the turn ends. */
  context: { signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>;

/** A hook with options. */
export interface HookWithOptions<Input, Answer> {
  /** The function. */
  run: HookOf<Input, Answer>;
  /** Names that it runs for, as in `hooks.json`: a list such as `Bash|apply_patch`, or a regular expression. Default: all. */
  matcher?: string;
  /** Time limit in seconds. Default: 600; for the end of a session and interrupts 1. */
  timeoutSec?: number;
  /** Effect of a failure: it is reported, and `deny` also blocks. Default: `continue`. */
  onFailure?: "continue" | "deny";
}

type One<Input, Answer> = HookOf<Input, Answer> | HookWithOptions<Input, Answer>;
type Some<Input, Answer> = One<Input, Answer> | readonly One<Input, Answer>[];

/** Functions of the program that follow, change and block what the agent does, by event. */
export interface ProgramHooks {
  /** Runs before every tool call: commands, patches, MCP tools and all others. Can block it or change its input. */
  preToolUse?: Some<PreToolUseInput, PreToolUseAnswer>;
  /** Runs before the user is asked for an approval. Can decide instead. */
  permissionRequest?: Some<PermissionRequestInput, PermissionRequestAnswer>;
  /** Runs after a tool call that has a result. Can replace the result. */
  postToolUse?: Some<PostToolUseInput, PostToolUseAnswer>;
  /** Runs before a message of the user is added. Can reject it; then the model is not asked. */
  userPromptSubmit?: Some<UserPromptSubmitInput, BlockingAnswer>;
  /** Runs at the first turn of a conversation. Can add context, or end the turn. */
  sessionStart?: Some<SessionStartInput, BlockingAnswer>;
  /** Runs when a session ends; it has at most 3 seconds. */
  sessionEnd?: Some<SessionEndInput, never>;
  /** Runs when the model has nothing more to do. Can continue the turn. */
  stop?: Some<StopInput, StopAnswer>;
  /** Runs when a helper agent starts. Can add context. */
  subagentStart?: Some<SubagentInput, ContextAnswer>;
  /** Runs when a helper agent is done. Can let it continue. */
  subagentStop?: Some<SubagentInput, StopAnswer>;
  /** Runs before a compaction. Can prevent it. */
  preCompact?: Some<CompactInput, PreCompactAnswer>;
  /** Runs after a compaction. */
  postCompact?: Some<CompactInput, MessageAnswer>;
  /** Runs when the user interrupts a turn; it has at most 3 seconds. */
  interrupt?: Some<TurnEventInput, MessageAnswer>;
  /** Runs before each request to the model. A failure with `onFailure: "deny"` prevents it. */
  preModelRequest?: Some<TurnEventInput, never>;
  /** Runs after each request to the model. */
  postModelRequest?: Some<PostModelRequestInput, never>;
  /** Default of `onFailure` for all of these hooks. */
  onFailure?: "continue" | "deny";
}
