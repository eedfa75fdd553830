import { isRecord } from "../../../protocol/read/record.js";
import type {
  AdditionalFileSystemPermissions,
  FileSystemSandboxEntry,
} from "../../../protocol/rpc/v2/permissions.js";
import type {
  FileSystemPermissions,
  PermissionProfile,
  RequestPermissionsResponse,
} from "../../../protocol/types.js";
import { turnOf } from "../from-event/place.js";
import type { Teller } from "../from-event/teller.js";
import type { EventOf } from "../from-event/translators.js";
import type { Question } from "./question.js";

/** Asks whether the model may do more than the sandbox lets it. */
export function permissionsQuestion(
  event: EventOf<"request_permissions">,
  teller: Teller,
): Question {
  const { call_id: itemId, permissions, reason = null, cwd = "" } = event.msg;
  const { network = null, file_system } = permissions;
  const params = {
    threadId: teller.threadId,
    turnId: turnOf(event, teller),
    itemId,
    environmentId: event.msg.environmentId ?? null,
    startedAtMs: event.msg.started_at_ms,
    cwd,
    reason,
    permissions: { network, fileSystem: file_system == null ? null : toFileSystem(file_system) },
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

function toFileSystem({ read, write }: FileSystemPermissions): AdditionalFileSystemPermissions {
  const entries = (paths: readonly string[] | null | undefined, access: "read" | "write") =>
    (paths ?? []).map((path): FileSystemSandboxEntry => ({ path: { type: "path", path }, access }));
  return {
    read: read ?? null,
    write: write ?? null,
    entries: [...entries(read, "read"), ...entries(write, "write")],
  };
}

/** What an answer grants; one that cannot be read grants nothing. */
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

/** Entries count where there are any; what denies or matches cannot be kept to, so it ends it all. */
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
