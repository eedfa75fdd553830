import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { PermissionProfile, RequestPermissionsResponse } from "../protocol/types.js";
import { intersectPermissions, noPermissions } from "../sandbox/index.js";
import type { AskedPermissions, PermissionsAnswer } from "../tools/index.js";
import type { Task } from "./task.js";
import type { TurnContext } from "./turn-context.js";

/** Whether the model is offered to ask for more permissions. */
export function offersPermissions({ features }: Config, { tools }: Era): boolean {
  return tools.permissions && features.get("request_permissions_tool") === true;
}

/** The call that asks, and the settings it asks under. */
export interface AskingCall {
  callId: string;
  context: TurnContext;
  task: Task;
}

/**
 * Asks the user for permissions of a call and keeps what is granted, for the turn or the session.
 *
 * Nobody is asked where nobody wants to be; the answer is no then.
 */
export async function askPermissions(
  { permissions, reason }: AskedPermissions,
  { callId, context, task }: AskingCall,
): Promise<PermissionsAnswer> {
  if (context.approval_policy === "never") return refused;
  const { session } = task;
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
  const owner = answer.scope === "session" ? session : task;
  owner.grants.add(answer.permissions);
  return answer;
}

const refused: PermissionsAnswer = { permissions: noPermissions, scope: "turn" };

/** A grant under a condition that nobody here can watch over is none. */
function toAnswer(
  asked: PermissionProfile,
  { permissions, scope, strict_auto_review }: RequestPermissionsResponse,
): PermissionsAnswer {
  if (strict_auto_review === true) return refused;
  return { permissions: intersectPermissions(asked, permissions), scope: scope ?? "turn" };
}
