import { isRecord } from "../../protocol/read/check.js";
import type {
  AdditionalFileSystemPermissions,
  FileSystemSandboxEntry,
  RequestPermissionProfile,
} from "../../protocol/rpc/v2/permissions.js";
import type {
  FileSystemPermissions,
  PermissionProfile,
  RequestPermissionsResponse,
  ReviewDecision,
} from "../../protocol/types.js";
import { type EventOf, type ThreadProjection, turnOf } from "../feed/projection.js";
import { startedCommand } from "../items/calls.js";
import { readDecision, type ServerRequest } from "./request.js";

/** Returns the approval request for a command. */
export function commandRequest(
  event: EventOf<"exec_approval_request">,
  projection: ThreadProjection,
): ServerRequest {
  const { call_id: itemId, reason, proposed_execpolicy_amendment: amendment } = event.msg;
  const { command, cwd, commandActions } = startedCommand(event.msg);
  const params = {
    kind: "command" as const,
    threadId: projection.threadId,
    turnId: turnOf(event, projection),
    itemId,
    startedAtMs: projection.now(),
    environmentId: "local",
    ...(reason == null ? {} : { reason }),
    command,
    cwd,
    commandActions,
    ...(amendment == null ? {} : { proposedExecpolicyAmendment: amendment }),
    availableDecisions: decisionsFor(amendment ?? undefined),
  };
  return {
    key: itemId,
    event,
    method: "item/commandExecution/requestApproval",
    params,
    ...decidedBy("exec_approval", itemId),
  };
}

function decisionsFor(amendment: readonly string[] | undefined): unknown[] {
  if (amendment === undefined) return ["accept", "cancel"];
  const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } };
  return ["accept", rule, "cancel"];
}

/** Returns the approval request for a patch. */
export function patchRequest(
  event: EventOf<"apply_patch_approval_request">,
  projection: ThreadProjection,
): ServerRequest {
  const { call_id: itemId, reason = null, grant_root: grantRoot = null } = event.msg;
  const { threadId } = projection;
  const turnId = turnOf(event, projection);
  const params = { threadId, turnId, itemId, startedAtMs: projection.now(), reason, grantRoot };
  return {
    key: itemId,
    event,
    method: "item/fileChange/requestApproval",
    params,
    ...decidedBy("patch_approval", itemId),
  };
}

/** Returns the conversion of an answer to the op, and the op for a denial. */
function decidedBy(type: "exec_approval" | "patch_approval", id: string) {
  const toOp = (decision: ReviewDecision) => ({ type, id, decision });
  return { toOp: (answer: unknown) => toOp(readDecision(answer)), refusal: toOp("denied") };
}

/** Returns the request for permissions beyond the sandbox policy. */
export function permissionsRequest(
  event: EventOf<"request_permissions">,
  projection: ThreadProjection,
): ServerRequest {
  const { call_id: itemId, permissions, reason = null, cwd = "" } = event.msg;
  const params = {
    threadId: projection.threadId,
    turnId: turnOf(event, projection),
    itemId,
    environmentId: event.msg.environmentId ?? null,
    startedAtMs: event.msg.started_at_ms,
    cwd,
    reason,
    permissions: toRequestedPermissions(permissions),
  };
  const toOp = (response: RequestPermissionsResponse) => ({
    type: "request_permissions_response" as const,
    id: itemId,
    response,
  });
  return {
    key: itemId,
    event,
    method: "item/permissions/requestApproval",
    params,
    toOp: (answer) => toOp(readAnswer(answer)),
    refusal: toOp(nothing),
    needsAbility: true,
  };
}

const nothing: RequestPermissionsResponse = { permissions: {}, scope: "turn" };

/** Converts requested permissions to v2. */
export function toRequestedPermissions({
  network = null,
  file_system,
}: PermissionProfile): RequestPermissionProfile {
  return { network, fileSystem: file_system == null ? null : toFileSystem(file_system) };
}

function toFileSystem({ read, write }: FileSystemPermissions): AdditionalFileSystemPermissions {
  const entries = (paths: readonly string[] | null | undefined, access: "read" | "write") =>
    (paths ?? []).map((path): FileSystemSandboxEntry => ({ path: { type: "path", path }, access }));
  return {
    read: read ?? null,
    write: write ?? null,
    entries: [...entries(read, "read"), ...entries(write, "write")],
  };
}

/** Reads the granted permissions; an unreadable answer grants none. */
function readAnswer(answer: unknown): RequestPermissionsResponse {
  if (!isRecord(answer) || !isRecord(answer.permissions)) return nothing;
  const { scope = "turn", strictAutoReview } = answer;
  if (scope !== "turn" && scope !== "session" && scope !== null) return nothing;
  const { network, fileSystem } = answer.permissions;
  const file_system = isRecord(fileSystem) ? readFileSystem(fileSystem) : undefined;
  const permissions: PermissionProfile = {
    ...(isRecord(network) && network.enabled === true ? { network: { enabled: true } } : {}),
    ...(file_system === undefined ? {} : { file_system }),
  };
  return {
    permissions,
    scope: scope ?? "turn",
    ...(strictAutoReview === true ? { strict_auto_review: true } : {}),
  };
}

/**
 * Reads file system permissions. `entries` take precedence; deny rules and patterns cannot be
 * enforced, so an answer with one grants nothing.
 */
function readFileSystem(given: Record<string, unknown>): FileSystemPermissions | undefined {
  const { entries } = given;
  if (entries == null) return { read: textsOf(given.read), write: textsOf(given.write) };
  if (!Array.isArray(entries) || !entries.every(isPlainEntry)) return undefined;
  const pathsFor = (wanted: string) =>
    entries.filter(({ access }) => access === wanted).map(({ path }) => path.path);
  return { read: pathsFor("read"), write: pathsFor("write") };
}

interface PlainEntry {
  path: { type: "path"; path: string };
  access: "read" | "write";
}

function isPlainEntry(value: unknown): value is PlainEntry {
  if (!isRecord(value) || !isRecord(value.path)) return false;
  const isPath = value.path.type === "path" && typeof value.path.path === "string";
  return isPath && (value.access === "read" || value.access === "write");
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
