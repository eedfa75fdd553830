import type { AgentControl } from "../agents/index.js";
import type { TurnDiff } from "../patch/index.js";
import type {
  ApplyPatchApprovalRequestEvent,
  AskForApproval,
  CollaborationMode,
  DynamicToolCallRequestEvent,
  DynamicToolResponse,
  EventMsg,
  ExecApprovalRequestEvent,
  InputItem,
  PermissionGrantScope,
  RequestPermissionsEvent,
  ReviewDecision,
  ToolOutputContent,
  ToolSpec,
  TurnItem,
  UserInputQuestion,
  UserInputResponse,
} from "../protocol/types.js";
import type { EnforcedPolicy, GrantedPermissions, ReadGuard } from "../sandbox/index.js";

/**
 * Something the model can call.
 *
 * A tool is a spec and a function: how its arguments are described and checked is its own affair,
 * so tools of MCP servers and of embedders are tools of the same kind.
 */
export interface Tool {
  /** Spec for the model. Its `name`, or its type if it has none, is the tool's name. */
  spec: ToolSpec;
  /** Name for hooks, if it differs from that of the spec. */
  hookName?: string;
  /** True for a tool that does nothing but call others, which have hooks of their own. */
  skipsHooks?: boolean;
  /** Returns true if a call has no side effects; such calls run in parallel. */
  isReadOnly?(input: ToolInput): boolean;
  /** Never throws for a mistake of the model: that is a failed output with a text. */
  run(input: ToolInput, context: ToolContext): Promise<ToolOutput>;
}

/** Input of a call: the text of a function or custom tool, or a local shell action as JSON. */
export interface ToolInput {
  /** The input as the model wrote it: JSON, or plain text for a freeform tool. */
  text: string;
}

/** Output of a call for the model. */
export interface ToolOutput {
  /** The result, or the reason of the failure. */
  text: string;
  /** False if the tool failed. */
  success: boolean;
  /** The user or a policy did not let it happen. */
  declined?: boolean;
  /** A hook refused it before the user was asked. */
  isBlocked?: boolean;
  /** Sent in place of the text where there are pictures in the answer. */
  parts?: ToolOutputContent[];
  /** Result as a value, for scripts; the default is the text, or what it says as JSON. */
  value?: unknown;
  /** Definitions that a search for tools has found. */
  found?: readonly ToolSpec[];
  /**
   * Result for hooks: `running` if the process outlives the call. `callId` is the call that started a
   * process, if that ended now. The default is the text or the parts of a success.
   */
  result?: "running" | { response: unknown; callId?: string };
}

/** Answer of a hook in place of the user's; the message is for the model. */
export type HookDecision = { behavior: "allow" } | { behavior: "deny"; message: string };

/** Facts about a command for an automatic reviewer. */
export interface CommandFacts {
  /** It would run without a sandbox. */
  isUnconfined?: boolean;
  /** Called before a reviewer starts to decide; clients should know of the command by then. */
  onReview?(): void;
}

/** Context of a call; all of its effects outside pass through it. */
export interface ToolContext {
  /** The id of the call. */
  callId: string;
  /** The id of the turn. */
  turnId: string;
  /** The settings of the turn. */
  turn: ToolTurn;
  /** True if a script makes the call and gets its result as a value. */
  isNested?: boolean;
  /** Reports text to the program that offers the tool (`tools` of the library); not set by the engine. */
  progress?(text: string): void;
  /** Emits an event of the turn. */
  emit(msg: EventMsg): void;
  /** Emits an event of a process that the call left running, even after its task has ended. */
  emitAfterEnd(msg: EventMsg): void;
  /** Returns a promise if clients are far behind; a call that emits much waits for it. */
  room?(): Promise<void> | undefined;
  /** Resolves when the log has what was emitted. Set if a call must wait for it before it does anything. */
  settled?(): Promise<void> | undefined;
  /** Returns true for a command that was running when another engine of the turn was lost. */
  hasUnknownOutcome?(argv: readonly string[], cwd: string): boolean;
  /** Waits for the user; rejects only when the turn is aborted. */
  askExecApproval(
    request: Omit<ExecApprovalRequestEvent, "type">,
    facts?: CommandFacts,
  ): Promise<ReviewDecision | HookDecision>;
  /** Asks the user to approve a patch. */
  askPatchApproval(
    request: Omit<ApplyPatchApprovalRequestEvent, "type">,
  ): Promise<ReviewDecision | HookDecision>;
  /** Asks the user questions of the model's; rejects only when the turn is aborted. */
  askUserInput(questions: UserInputQuestion[]): Promise<UserInputResponse>;
  /**
   * Asks the user for permissions beyond the sandbox and applies the grant; rejects only if the
   * turn is aborted.
   */
  askPermissions(request: AskedPermissions): Promise<PermissionsAnswer | HookDecision>;
  /** Lets the client run one of its tools; rejects only if the turn is aborted. */
  askDynamicTool(call: Omit<DynamicToolCallRequestEvent, "type">): Promise<DynamicToolResponse>;
  /** Stores files that a patch is about to change, so that the turn can be taken back. */
  beforePatch?(paths: readonly string[]): Promise<void>;
  /** Does the same before a command that may change files anywhere in the workspace. */
  beforeCommand?(): Promise<void>;
  /** Diff of the files changed by the task; track every patch before applying it. */
  turnDiff: TurnDiff;
  /** Emits the diff of the task, if there is one. */
  emitTurnDiff(): Promise<void>;
  /** Waits for new input; resolves to false when the time is over, and rejects when the turn is aborted. */
  awaitInput(timeoutMs: number): Promise<boolean>;
  /** Current time in Unix milliseconds; that of the machine if omitted. */
  now?(): number;
  /** Puts items in front of the model with the next request, as if the user had sent them. */
  addInput(items: InputItem[]): void;
  /** Returns a guard for files that the call reads; undefined if it may read all. */
  readGuard?(): Promise<ReadGuard | undefined>;
  /** Emits that an item of the turn has started or completed. */
  emitItem?(type: "item_started" | "item_completed", item: TurnItem): void;
  /** Returns the operations on helper agents. */
  agents?(): Promise<AgentControl>;
  /** Returns access to the goal of the thread, if it can have one. */
  goal?(): Promise<GoalAccess | undefined>;
  /** Calls another tool, with the approvals, hooks and events of any call; rejects only when the turn is aborted. */
  callTool?(call: NestedCall): Promise<ToolOutput>;
  /** Adds a further output of this call to the next request. */
  notifyModel?(text: string, type: "custom_tool_call_output" | "function_call_output"): void;
  /** Adds a developer message for the model. */
  informModel(text: string): void;
  /** Aborts when the turn is interrupted. */
  signal: AbortSignal;
}

/** Access of a call to the goal of its thread. Each method returns the output for the model. */
export interface GoalAccess {
  /** Returns the goal as JSON for the model. */
  get(): string;
  /** Throws if the goal is invalid or another one is unfinished. */
  create(objective: string, tokenBudget?: number): string;
  /** Throws if there is no goal. */
  update(status: "complete" | "blocked" | "paused"): string;
}

/** A call that a tool makes. */
export interface NestedCall {
  /** Id of the call for clients. */
  id: string;
  /** How the tool takes its input. */
  kind: ToolKind;
  /** The name of the tool. */
  toolName: string;
  /** The group of the tool, if it has one. */
  namespace?: string | undefined;
  /** The input of the call, as JSON or plain text. */
  input: string;
}

/** Permissions that a call requests, with real paths and the reason. */
export interface AskedPermissions extends Pick<RequestPermissionsEvent, "permissions" | "reason"> {
  /** A hook has granted them for the turn, so that the user is not asked. */
  isGranted?: boolean;
}

/** Granted permissions and their scope. */
export interface PermissionsAnswer {
  /** What was granted; empty for a denial. */
  permissions: GrantedPermissions;
  /** How long it is granted. */
  scope: PermissionGrantScope;
}

/** The settings of the turn in which a call runs. */
export interface ToolTurn {
  /** The working directory of the turn. */
  cwd: string;
  /** When the user is asked for approval. */
  approval_policy: AskForApproval;
  /** Policy including granted permissions. */
  sandbox_policy: EnforcedPolicy;
  /** Abilities of the model, which decide the form of tools. */
  family: ModelAbilities;
  /** A review works with fewer tools. */
  isReview?: boolean;
  /** Nothing is changed: no rule, grant or approval widens the sandbox. */
  isConfined?: boolean;
  /** Commands that need no approval are reviewed too. */
  reviewsAll?: boolean;
  /** In plan mode the model may only think about the task and ask. */
  collaboration_mode?: CollaborationMode | undefined;
}

/** The part of a model's family that tools ask about. */
interface ModelAbilities {
  /** False: nothing is known of the model, and all of this is assumed. */
  known: boolean;
  shellTool: "shell" | "local_shell" | "unified_exec";
  applyPatchTool?: "freeform" | "function";
  /** True if the model knows the items of a search for tools. */
  toolSearch?: boolean;
  /** Generation of the tools of helper agents that the model knows. */
  multiAgent?: "v1" | "v2";
  /** True if the model knows the tools of the clock. */
  clock?: boolean;
  /** True if the model knows questions that it does not wait for. */
  asyncQuestions?: boolean;
  /** Set if the model works through scripts. */
  toolMode?: "code_only";
}

/** A result the model may take as done. */
export function ok(text: string): ToolOutput {
  return { text, success: true };
}

/** Output of a failed call; the text is for the model. */
export function failed(text: string): ToolOutput {
  return { text, success: false };
}

/** Reason for refusing a call in a turn with `isConfined`. */
export const changesNothing = "nothing may be changed in this turn";

/** Returns true if a hook has answered in place of the user. */
export function isHookDecision(answer: object | string): answer is HookDecision {
  return typeof answer === "object" && "behavior" in answer;
}

/** Kind of a tool: the type of its spec. */
export type ToolKind = ToolSpec["type"];
