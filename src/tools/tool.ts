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
  emitAfterEnd(msg: EventMsg): void;
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
  informModel(text: string): void;
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
interface ModelAbilities {
  /** False: nothing is known of the model, and all of this is assumed. */
  known: boolean;
  shellTool: "shell" | "local_shell" | "unified_exec";
  applyPatchTool?: "freeform" | "function";
}

/** What the model calls a tool by; tools built into models have only their type. */
function toolName({ spec }: Tool): string {
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

/** The tools of a session. */
export interface ToolBox {
  /** What the model is offered in a turn with these settings. */
  offered(turn: ToolTurn): readonly ToolSpec[];
  /**
   * The tool of that name, offered or not: models call what they know from elsewhere. A function
   * and a custom tool may share a name.
   */
  find(kind: ToolKind, name: string, namespace?: string | null): Tool | undefined;
  /** Ends what tools have left running. */
  close(): Promise<void>;
}

/** How a tool is called: by the type of its spec. */
export type ToolKind = ToolSpec["type"];

/** A tool in the box, and when the model is told of it. */
export interface BoxedTool {
  tool: Tool;
  /** Other names it is called by. */
  aliases?: readonly string[];
  /** Absent: always. */
  offeredIn?(turn: ToolTurn): boolean;
}

/** Puts tools into a box; they are offered in the order given. */
export function createToolBox(
  entries: readonly BoxedTool[],
  close: () => Promise<void> = async () => {},
): ToolBox {
  const byName = new Map<string, Tool>();
  for (const { tool, aliases = [] } of entries) {
    for (const name of [toolName(tool), ...aliases]) {
      const key = keyOf(tool.spec.type, name);
      if (!byName.has(key)) byName.set(key, tool);
    }
  }
  return {
    offered: (turn) =>
      entries
        .filter(({ offeredIn }) => offeredIn === undefined || offeredIn(turn))
        .map(({ tool }) => tool.spec),
    find: (kind, name) => byName.get(keyOf(kind, name)),
    close,
  };
}

function keyOf(kind: ToolKind, name: string): string {
  return `${kind} ${name}`;
}
