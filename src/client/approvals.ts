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

/** A request for approval. */
export type ApprovalRequest =
  | (ApprovalPlace & { kind: "command"; command: string; cwd: string | undefined })
  | (ApprovalPlace & {
      kind: "file_change";
      /** The files and their changes. */
      changes: readonly FileUpdateChange[];
      /** A folder for which write access is requested. */
      grantRoot: string | undefined;
    })
  | (ApprovalPlace & {
      kind: "permissions";
      /** Permissions that the model requests, for the turn or the session. */
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

/** Decision on a request; `abort` also ends the turn. */
export type ApprovalDecision = "approve" | "approve_for_session" | "deny" | "abort";

/** Decides on a request. If it throws, the turn ends and `run` rejects with the error. */
export type Approver = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** Converts the approval request for a command. */
function toCommandRequest(params: CommandExecutionRequestApprovalParams): ApprovalRequest {
  const { command, cwd } = params;
  return { kind: "command", ...placeOf(params), command: command ?? "", cwd: cwd ?? undefined };
}

/** Converts the approval request for file changes, which come from the item. */
function toFileChangeRequest(
  params: FileChangeRequestApprovalParams,
  changes: readonly FileUpdateChange[],
): ApprovalRequest {
  const grantRoot = params.grantRoot ?? undefined;
  return { kind: "file_change", ...placeOf(params), changes, grantRoot };
}

/** Converts the request for permissions. */
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

/** Decisions in v2. */
const wireDecisions = {
  approve: "accept",
  approve_for_session: "acceptForSession",
  deny: "decline",
  abort: "cancel",
} as const;

/**
 * Answers the requests of the server during one turn, with the approver and the tools of the
 * client.
 */
export class Answering {
  readonly #onApproval: Approver | undefined;
  readonly #tools: readonly OwnTool[];
  readonly #onProgress: (callId: string, text: string) => void;
  readonly #changes = new Map<string, readonly FileUpdateChange[]>();
  /** Set if the approver threw or returned no valid decision, which ends the turn. */
  fault: ApproverFault | undefined;

  /** `onProgress` is called with the progress of the tools. */
  constructor(
    { onApproval, tools }: AnsweringOptions,
    onProgress: (callId: string, text: string) => void = () => undefined,
  ) {
    this.#onProgress = onProgress;
    this.#onApproval = onApproval;
    this.#tools = tools ?? [];
  }

  /** Remembers the changes of items: approval requests contain only the item's id. */
  onNotification(notification: ServerNotification): void {
    if (notification.method !== "item/started") return;
    const { item } = notification.params;
    if (item.type === "fileChange") this.#changes.set(item.id, item.changes);
  }

  /** Answers the approval request for a command. */
  approveCommand(
    params: CommandExecutionRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<CommandExecutionRequestApprovalResponse> {
    return this.#answer(toCommandRequest(params), signal);
  }

  /** Answers the approval request for a change of files. */
  approveFileChange(
    params: FileChangeRequestApprovalParams,
    signal: AbortSignal,
  ): Promise<FileChangeRequestApprovalResponse> {
    const changes = this.#changes.get(params.itemId) ?? [];
    return this.#answer(toFileChangeRequest(params, changes), signal);
  }

  /**
   * Answers a request for permissions. Returns `undefined` to end the turn, since no response can
   * do that.
   */
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

  /** Runs a tool of the caller's program for the model. */
  callTool(params: DynamicToolCallParams, signal: AbortSignal): Promise<DynamicToolCallResponse> {
    const progress = (text: string) => this.#onProgress(params.callId, text);
    return callOwnTool(this.#tools, params, { signal, progress });
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

/** Carries an error of the approver to the caller of the turn. */
export class ApproverFault extends Error {}

/** Throws if the approver did not return a decision, as callers without types can. */
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

/** Approver and tools of a thread. */
interface AnsweringOptions {
  onApproval?: Approver;
  tools?: readonly OwnTool[];
}
