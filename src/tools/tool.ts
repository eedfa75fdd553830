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
  UserInputQuestion,
  UserInputResponse,
} from "../protocol/types.js";
import type { EnforcedPolicy, GrantedPermissions } from "../sandbox/index.js";

/**
 * Something the model can call.
 *
 * A tool is a spec and a function: how its arguments are described and checked is its own affair,
 * so tools of MCP servers and of embedders are tools of the same kind.
 */
export interface Tool {
  /** What the model is told; `spec.name`, or the bare type where there is none, is the tool's name. */
  spec: ToolSpec;
  /** Whether a call changes nothing that another could notice: such calls run side by side. */
  isReadOnly?(input: ToolInput): boolean;
  /** Never throws for what the model did wrong: that is text for the model, like any result. */
  run(input: ToolInput, context: ToolContext): Promise<ToolOutput>;
}

/** What the model gave: the text of a function's or custom tool's input, or a local shell action. */
export interface ToolInput {
  text: string;
}

/** What the model gets back. */
export interface ToolOutput {
  text: string;
  success: boolean;
  /** The user or a policy did not let it happen. */
  declined?: boolean;
  /** Sent in place of the text where there are pictures in the answer. */
  parts?: ToolOutputContent[];
}

/** What a call may use; everything it does to the outside passes here. */
export interface ToolContext {
  callId: string;
  turnId: string;
  turn: ToolTurn;
  emit(msg: EventMsg): void;
  /** The same for what a call has left running, which may say more when its task is over. */
  emitLate(msg: EventMsg): void;
  /** A promise while clients are far behind: whoever emits much waits for it. */
  room?(): Promise<void> | undefined;
  /** Waits for the user; rejects only when the turn is aborted. */
  askExecApproval(request: Omit<ExecApprovalRequestEvent, "type">): Promise<ReviewDecision>;
  askPatchApproval(request: Omit<ApplyPatchApprovalRequestEvent, "type">): Promise<ReviewDecision>;
  /** Asks the user questions of the model's; rejects only when the turn is aborted. */
  askUserInput(questions: UserInputQuestion[]): Promise<UserInputResponse>;
  /**
   * Asks the user to let the turn or the session do more than the sandbox lets it, and sees to what
   * is granted; rejects only when the turn is aborted.
   */
  askPermissions(request: AskedPermissions): Promise<PermissionsAnswer>;
  /** Has the client run one of its own tools; rejects only when the turn is aborted. */
  askDynamicTool(call: Omit<DynamicToolCallRequestEvent, "type">): Promise<DynamicToolResponse>;
  /** What the task has changed in files so far; told of every patch before it is applied. */
  turnDiff: TurnDiff;
  /** Tells the client the diff of the task, if there is one. */
  emitTurnDiff(): Promise<void>;
  /** Puts items in front of the model with the next request, as if the user had sent them. */
  addInput(items: InputItem[]): void;
  /** Tells the model something besides what the call gives. */
  tellModel(text: string): void;
  signal: AbortSignal;
}

/** What a call asks to be let do, in real paths, and why. */
export type AskedPermissions = Pick<RequestPermissionsEvent, "permissions" | "reason">;

/** What of it was granted, and for how long. */
export interface PermissionsAnswer {
  permissions: GrantedPermissions;
  scope: PermissionGrantScope;
}

/** The settings of the turn in which a call runs. */
export interface ToolTurn {
  cwd: string;
  approval_policy: AskForApproval;
  /** With what the user has granted on top of it. */
  sandbox_policy: EnforcedPolicy;
  /** What the model can do; decides in which form it is offered things. */
  family: ModelAbilities;
  /** A review works with fewer tools. */
  isReview?: boolean;
  /** In plan mode the model may only think about the task and ask. */
  collaboration_mode?: CollaborationMode | undefined;
}

/** The part of a model's family that tools ask about. */
export interface ModelAbilities {
  /** False: nothing is known of the model, and all of this is assumed. */
  known: boolean;
  shellTool: "shell" | "local_shell" | "unified_exec";
  applyPatchTool?: "freeform" | "function";
}

/** What the model calls a tool by; tools built into models have only their type. */
export function toolName({ spec }: Tool): string {
  return "name" in spec ? spec.name : spec.type;
}

/** A result the model may take as done. */
export function ok(text: string): ToolOutput {
  return { text, success: true };
}

/** A result that tells the model what went wrong. */
export function failed(text: string): ToolOutput {
  return { text, success: false };
}
