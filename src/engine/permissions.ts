import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import { createDeferred, type Deferred } from "../lib/async.js";
import type { PermissionProfile, RequestPermissionsResponse } from "../protocol/types.js";
import {
  type EnforcedPolicy,
  enforcedPolicy,
  type GrantedPermissions,
  intersectPermissions,
  needsSandbox,
  noPermissions,
  type ReadGuard,
} from "../sandbox/index.js";
import type { AskedPermissions, HookDecision, PermissionsAnswer } from "../tools/index.js";
import type { RunningTask } from "./current-task.js";
import type { EngineParts, SessionParts } from "./parts.js";
import type { TurnContext } from "./turn-context.js";

/** Returns true if the model may ask for more permissions. */
export function offersPermissions({ features }: Config, { since }: Era): boolean {
  return since["0.166"] && features.get("request_permissions_tool") === true;
}

/** The task of a call that asks; it and its session hold grants. */
interface AskingTask extends Pick<RunningTask, "turnId" | "signal" | "emit"> {
  readonly grants: PermissionGrants;
  reviewsAll: boolean;
  readonly session: {
    readonly config: Pick<Config, "requirements">;
    readonly parts: Pick<SessionParts, "clock">;
    readonly permissions: Questions<RequestPermissionsResponse>;
    readonly grants: PermissionGrants;
  };
}

/** The call that asks, and the settings it asks under. */
interface AskingCall {
  callId: string;
  context: TurnContext;
  task: AskingTask;
  /** Asks the automatic reviewer; if there is none or no decision, the user is asked. */
  review?: (() => Promise<HookDecision | undefined>) | undefined;
}

/**
 * Asks the user for permissions on behalf of a call, and stores the grants for the turn or the
 * session.
 *
 * Under the `never` policy, in plan mode, and if the administrator allows no writing, the answer is
 * no, without asking.
 */
export async function askPermissions(
  { permissions, reason, isGranted = false }: AskedPermissions,
  { callId, context, task, review }: AskingCall,
): Promise<PermissionsAnswer | HookDecision> {
  const { session } = task;
  const mayWrite = session.config.requirements?.isAllowed({
    sandbox_policy: { mode: "workspace-write" },
  });
  const isFixed = context.approval_policy === "never" || context.isConfined === true;
  if (isFixed || mayWrite === false) return refused;
  const decided = isGranted ? allowed : review && (await review());
  if (decided?.behavior === "deny") return decided;
  if (decided !== undefined) {
    const granted = toAnswer(permissions, { permissions });
    task.grants.add(granted.permissions);
    return granted;
  }
  task.emit(
    {
      type: "request_permissions",
      call_id: callId,
      turn_id: task.turnId,
      environmentId: "local",
      started_at_ms: session.parts.clock.now(),
      ...(reason == null ? {} : { reason }),
      permissions,
      cwd: context.cwd,
    },
    callId,
  );
  const response = await session.permissions.ask(callId, [], task.signal);
  const answer = toAnswer(permissions, response);
  // Also if less is granted than asked for: the user wants the rest of the turn reviewed.
  if (response.strict_auto_review === true && response.scope !== "session") task.reviewsAll = true;
  const owner = answer.scope === "session" ? session : task;
  owner.grants.add(answer.permissions);
  return answer;
}

const allowed: HookDecision = { behavior: "allow" };
const refused: PermissionsAnswer = { permissions: noPermissions, scope: "turn" };

/** A review of every later command holds for the turn, so a grant for the session cannot depend on it. */
function toAnswer(
  asked: PermissionProfile,
  { permissions, scope, strict_auto_review }: RequestPermissionsResponse,
): PermissionsAnswer {
  if (strict_auto_review === true && scope === "session") return refused;
  return { permissions: intersectPermissions(asked, permissions), scope: scope ?? "turn" };
}

/**
 * Permissions the user has granted for a turn or a session.
 *
 * They are held in memory only. A resumed session starts without grants, as in the reference, so
 * that a file can never widen a sandbox.
 */
export class PermissionGrants {
  #writable = new Set<string>();
  #network = false;

  add({ network, file_system }: GrantedPermissions): void {
    if (network !== null) this.#network = true;
    for (const path of file_system?.write ?? []) this.#writable.add(path);
  }

  /** The policy of a turn with its permission profile and these grants; itself when there are none. */
  static over(
    context: Pick<TurnContext, "sandbox_policy" | "permissions">,
    ...all: readonly PermissionGrants[]
  ): EnforcedPolicy {
    const policy = enforcedPolicy(context);
    const writable = [...new Set(all.flatMap((grants) => [...grants.#writable]))];
    const network = all.some((grants) => grants.#network);
    const isPlain = !network && writable.length === 0;
    return isPlain || !needsSandbox(policy)
      ? policy
      : { ...policy, granted: { writable, network } };
  }
}

/** Returns the guard for files read under a policy; without permission rules there is none. */
export async function readGuardOf(
  { readGuard }: Pick<EngineParts, "readGuard">,
  { sandbox_policy, cwd }: { sandbox_policy: EnforcedPolicy; cwd: string },
): Promise<ReadGuard | undefined> {
  return sandbox_policy.rules === undefined ? undefined : readGuard?.(sandbox_policy, cwd);
}

interface Waiting<Answer> {
  callId: string;
  /** Other ids that clients answer to: the submission's, as those of 2025 do, or the turn's. */
  otherIds: readonly string[];
  answer: Deferred<Answer>;
}

/** Questions to the user that are not answered yet. */
export class Questions<Answer> {
  #waiting: Waiting<Answer>[] = [];

  /** Waits for the answer; rejects with the signal's reason when the turn is aborted first. */
  async ask(callId: string, otherIds: readonly string[], signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const answer = createDeferred<Answer>();
    const waiting: Waiting<Answer> = { callId, otherIds, answer };
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(waiting);
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    }
  }

  /** Answers by call id or, failing that, by another id; false when nothing waits there. */
  settle(id: string, answer: Answer): boolean {
    const waiting =
      this.#waiting.find((one) => one.callId === id) ??
      this.#waiting.find((one) => one.otherIds.includes(id));
    if (waiting === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting.answer.resolve(answer);
    return true;
  }
}
