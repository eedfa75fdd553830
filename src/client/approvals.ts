import { CodexError } from "../protocol/error.js";
import type { FileUpdateChange } from "../protocol/rpc/v2/item-parts.js";
import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
  RequestPermissionProfile,
} from "../protocol/rpc/v2/permissions.js";
import type {
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
  DynamicToolCallParams,
  DynamicToolCallResponse,
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
} from "../protocol/rpc/v2/requests.js";
import type { ServerNotification } from "./messages.js";
import { callOwnTool, type OwnTool } from "./own-tools.js";

/** Something that the model may do only when it is approved. */
export type ApprovalRequest =
  | (ApprovalPlace & { kind: "command"; command: string; cwd: string | undefined })
  | (ApprovalPlace & {
      kind: "file_change";
      /** The files and their changes. */
      changes: readonly FileUpdateChange[];
      /** A folder that is asked for as a whole. */
      grantRoot: string | undefined;
    })
  | (ApprovalPlace & {
      kind: "permissions";
      /** What the model asks to be let do, for the turn or, if approved so, for the session. */
      permissions: RequestPermissionProfile;
    });

/** The part of a thread that a request for approval belongs to. */
export interface ApprovalPlace {
  /** The id of the thread. */
  threadId: string;
  /** The id of the turn. */
  turnId: string;
  /** The id of the item: the command or the change of files. */
  itemId: string;
  /** Why approval is requested, for a person. */
  reason: string | undefined;
}

/** What is decided: once, for the rest of the session, not, or not and the turn ends. */
export type ApprovalDecision = "approve" | "approve_for_session" | "deny" | "abort";

/** Decides about a request. When it throws, the turn ends and `run` rejects with that. */
export type Approver = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** A question about a command in the words of approvers. */
function toCommandRequest(params: CommandExecutionRequestApprovalParams): ApprovalRequest {
  const { command, cwd } = params;
  return { kind: "command", ...placeOf(params), command: command ?? "", cwd: cwd ?? undefined };
}

/** A question about files in the words of approvers; the item says which changes. */
function toFileChangeRequest(
  params: FileChangeRequestApprovalParams,
  changes: readonly FileUpdateChange[],
): ApprovalRequest {
  const grantRoot = params.grantRoot ?? undefined;
  return { kind: "file_change", ...placeOf(params), changes, grantRoot };
}

/** A question for more permissions in the words of approvers. */
function toPermissionsRequest(params: PermissionsRequestApprovalParams): ApprovalRequest {
  return { kind: "permissions", ...placeOf(params), permissions: params.permissions };
}

function placeOf(params: {
  threadId: string;
  turnId: string;
  itemId: string;
  reason?: string | null;
}): ApprovalPlace {
  const { threadId, turnId, itemId, reason } = params;
  return { threadId, turnId, itemId, reason: reason ?? undefined };
}

/** Decisions as the server has them. */
const wireDecisions = {
  approve: "accept",
  approve_for_session: "acceptForSession",
  deny: "decline",
  abort: "cancel",
} as const;

/** Answers what the server asks during one turn of a thread: by its approver and its own tools. */
export class Answering {
  readonly #onApproval: Approver | undefined;
  readonly #tools: readonly OwnTool[];
  readonly #changes = new Map<string, readonly FileUpdateChange[]>();
  /** Set when the approver threw or returned no decision; the turn ends for it. */
  fault: ApproverFault | undefined;

  constructor({ onApproval, tools }: AnsweringOptions) {
    this.#onApproval = onApproval;
    this.#tools = tools ?? [];
  }

  /** Remembers which changes an item is about, for questions name the item only. */
  hear(notification: ServerNotification): void {
    if (notification.method !== "item/started") return;
    const { item } = notification.params;
    if (item.type === "fileChange") this.#changes.set(item.id, item.changes);
  }

  approveCommand(
    params: CommandExecutionRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<CommandExecutionRequestApprovalResponse> {
    return this.#answer(toCommandRequest(params), signal);
  }

  approveFileChange(
    params: FileChangeRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<FileChangeRequestApprovalResponse> {
    const changes = this.#changes.get(params.itemId) ?? [];
    return this.#answer(toFileChangeRequest(params, changes), signal);
  }

  /** Nothing means that the turn is to end, which no answer to this question says. */
  async approvePermissions(
    params: PermissionsRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<PermissionsRequestApprovalResponse | undefined> {
    const decision = await this.#decide(toPermissionsRequest(params), signal);
    if (decision === "abort") return undefined;
    if (decision === "deny") return { permissions: {}, scope: "turn" };
    const scope = decision === "approve_for_session" ? "session" : "turn";
    return { permissions: params.permissions, scope };
  }

  callTool(params: DynamicToolCallParams, signal: AbortSignal): Promise<DynamicToolCallResponse> {
    return callOwnTool(this.#tools, params, signal);
  }

  async #answer(request: ApprovalRequest, signal: AbortSignal) {
    return { decision: wireDecisions[await this.#decide(request, signal)] };
  }

  async #decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (this.#onApproval === undefined) return "deny";
    try {
      return checkDecision(await this.#onApproval(request, signal));
    } catch (cause) {
      this.fault ??= new ApproverFault("The approver failed", { cause });
      return "abort";
    }
  }
}

/** Carries what an approver threw to the caller of the turn. */
export class ApproverFault extends Error {}

/** Programs without types can return anything: a wrong word must not pass for a decision. */
function checkDecision(decision: ApprovalDecision): ApprovalDecision {
  if (Object.hasOwn(wireDecisions, decision)) return decision;
  const known = Object.keys(wireDecisions)
    .map((name) => JSON.stringify(name))
    .join(", ");
  throw new CodexError(
    "invalid_request",
    `Expected \`onApproval\` to return one of ${known} (got ${JSON.stringify(decision)})`,
  );
}

/** Who decides, and which tools there are. */
interface AnsweringOptions {
  onApproval?: Approver;
  tools?: readonly OwnTool[];
}
