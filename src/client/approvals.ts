import type { FileUpdateChange } from "../protocol/rpc/v2/item-parts.js";
import type {
  PermissionsRequestApprovalParams,
  RequestPermissionProfile,
} from "../protocol/rpc/v2/permissions.js";
import type {
  CommandExecutionRequestApprovalParams,
  FileChangeRequestApprovalParams,
} from "../protocol/rpc/v2/requests.js";

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
export function toCommandRequest(params: CommandExecutionRequestApprovalParams): ApprovalRequest {
  const { command, cwd } = params;
  return { kind: "command", ...placeOf(params), command: command ?? "", cwd: cwd ?? undefined };
}

/** A question about files in the words of approvers; the item says which changes. */
export function toFileChangeRequest(
  params: FileChangeRequestApprovalParams,
  changes: readonly FileUpdateChange[],
): ApprovalRequest {
  const grantRoot = params.grantRoot ?? undefined;
  return { kind: "file_change", ...placeOf(params), changes, grantRoot };
}

/** A question for more permissions in the words of approvers. */
export function toPermissionsRequest(params: PermissionsRequestApprovalParams): ApprovalRequest {
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
export const wireDecisions = {
  approve: "accept",
  approve_for_session: "acceptForSession",
  deny: "decline",
  abort: "cancel",
} as const;
