import { isRecord } from "../../protocol/read/check.js";
import { parseReviewDecision } from "../../protocol/read/policy.js";
import type { V2ServerRequests } from "../../protocol/rpc/v2/methods.generated.js";
import type { Event, Op, ReviewDecision } from "../../protocol/types.js";
import type { Thread } from "../thread/thread.js";

/** A server request with its params, for each method. */
type TypedRequest = {
  [Method in keyof V2ServerRequests]: {
    method: Method;
    params: V2ServerRequests[Method]["params"];
  };
}[keyof V2ServerRequests];

/** A request of the engine to the clients, and the reader of their answers. */
export type ServerRequest = TypedRequest & {
  /** Identifies it among the pending requests. */
  key: string;
  /** The event that carries it, for clients of v1. */
  event: Event;
  /** Returns the op for an answer; an unreadable answer is a refusal. */
  toOp(answer: unknown): Op;
  /** Op submitted if the client answers with an error. */
  refusal: Op;
  /** Set if not every client can answer it: an error of one client does not settle it. */
  needsAbility?: true;
};

/** A client that can be sent requests. Must not throw. */
export interface Responder {
  request(request: ServerRequest): void;
}

/** Reads the decision of an approval; an unreadable answer denies. */
export function readDecision(answer: unknown): ReviewDecision {
  try {
    return parseReviewDecision(isRecord(answer) ? answer.decision : answer);
  } catch {
    return "denied";
  }
}

/** Submits the decision on a command or patch, unless another client was first. */
export function submitDecision({ msg }: Event, thread: Thread, decision: ReviewDecision): void {
  if (msg.type !== "exec_approval_request" && msg.type !== "apply_patch_approval_request") return;
  if (!thread.state.requests.settle(msg.call_id)) return;
  const type = msg.type === "exec_approval_request" ? "exec_approval" : "patch_approval";
  thread.submit({ type, id: msg.call_id, decision });
}

/** Declines a request for permissions, for clients of surfaces that have no such request. */
export function declinePermissions({ msg }: Event, thread: Thread): void {
  if (msg.type !== "request_permissions" || !thread.state.requests.settle(msg.call_id)) return;
  const response = { permissions: {}, scope: "turn" } as const;
  thread.submit({ type: "request_permissions_response", id: msg.call_id, response });
}
