import type { Event, Op } from "../../protocol/types.js";
import { type EventOf, type ThreadProjection, turnOf } from "../feed/projection.js";
import { startedCommand } from "../items/calls.js";
import type { Thread } from "../thread/thread.js";
import { commandRequest, patchRequest, permissionsRequest } from "./approvals.js";
import type { Responder, ServerRequest } from "./request.js";
import { elicitationRequest, toolCallRequest, userInputRequest } from "./tools.js";

/** Sends the requests of a thread to all its clients; the first answer is passed to the engine. */
export class RequestDispatcher {
  #projection: ThreadProjection;
  #pending = new Map<string, { request: ServerRequest; refusedBy: Set<Responder> }>();
  /** The answer that is being passed on. */
  #answer: Op | undefined;

  constructor(projection: ThreadProjection) {
    this.#projection = projection;
  }

  /** Sends the pending requests to a client that has just subscribed. */
  sendPending(responder: Responder): void {
    for (const { request } of [...this.#pending.values()]) responder.request(request);
  }

  /** Sends a request to all clients. The item that it is about is reported as started first. */
  send(asked: ServerRequest, thread: Thread, responders: Iterable<Responder>): void {
    const request = withAgent(asked, thread);
    const settled = thread.state.requests.signal(request.key);
    if (settled === undefined || this.#pending.has(request.key)) return;
    this.#pending.set(request.key, { request, refusedBy: new Set() });
    this.#updateStatus();
    const { event } = request;
    if (event.msg.type === "exec_approval_request") {
      this.#projection.startItem(startedCommand(event.msg), turnOf(event, this.#projection));
    }
    const all = [...responders];
    for (const responder of all) responder.request(request);
    const onSettled = () => this.#onSettled(request, thread, settled.reason);
    settled.addEventListener("abort", onSettled, { once: true });
    if (all.length === 0) this.#declineUnreviewed(thread);
  }

  /** Passes an answer to the engine, unless another client was first. */
  answer(request: ServerRequest, op: Op, thread: Thread, client?: string): void {
    this.#answer = op;
    const isFirst = thread.state.requests.settle(request.key);
    this.#answer = undefined;
    if (isFirst) thread.answer(op, client);
  }

  /**
   * Records that a client answered with an error.
   *
   * If only some clients are able to answer, the request counts as refused once all of them have
   * refused it; else at once.
   */
  refuse(
    request: ServerRequest,
    responder: Responder,
    thread: Thread,
    all: ReadonlySet<Responder>,
  ): void {
    this.#pending.get(request.key)?.refusedBy.add(responder);
    if (!request.needsAbility) this.answer(request, request.refusal, thread);
    else this.onUnsubscribe(thread, all);
  }

  /** Refuses the requests that all remaining clients have refused. Without clients they wait. */
  onUnsubscribe(thread: Thread, remaining: ReadonlySet<Responder>): void {
    if (remaining.size === 0) {
      this.#declineUnreviewed(thread);
      return;
    }
    for (const { request, refusedBy } of [...this.#pending.values()]) {
      if (refusedBy.size === 0 || ![...remaining].every((one) => refusedBy.has(one))) continue;
      this.answer(request, request.refusal, thread);
    }
  }

  /**
   * Declines the approvals that no client can review, if the automatic reviewer came to no decision.
   *
   * A client that chose `auto_review` does not expect requests, so it may never reconnect.
   */
  #declineUnreviewed(thread: Thread): void {
    // A remote thread may have clients elsewhere.
    if (thread.settings.approvalsReviewer === "user" || thread.remote !== undefined) return;
    for (const { request } of [...this.#pending.values()]) {
      if (statusFlags[request.method] !== "waitingOnApproval") continue;
      const { threadId } = this.#projection;
      this.#projection.notify("warning", { threadId, message: unreviewed });
      this.answer(request, request.refusal, thread);
    }
  }

  #onSettled(request: ServerRequest, thread: Thread, reason: unknown): void {
    this.#pending.delete(request.key);
    const answer = this.#answer ?? (reason instanceof Error ? undefined : (reason as Op));
    if (answer !== undefined) this.#declineItem(request, answer);
    if (thread.isBusy) this.#updateStatus(); // else the end of the turn is reported next
  }

  #updateStatus(): void {
    if (this.#projection.status.type !== "active") return;
    const methods = [...this.#pending.values()].map(({ request }) => request.method);
    const flags = [...new Set(methods.flatMap((method) => statusFlags[method] ?? []))];
    this.#projection.status = { type: "active", activeFlags: flags };
  }

  #declineItem({ event, refusal }: ServerRequest, op: Op): void {
    if (op.type !== "exec_approval" && op.type !== "patch_approval") return;
    if (op.decision !== "denied" && op.decision !== "abort") return;
    const status = op === refusal ? "failed" : "declined";
    this.#projection.declineItem(op.id, turnOf(event, this.#projection), status);
  }
}

const unreviewed =
  "An approval request was declined: the automatic reviewer came to no decision, and no client is " +
  "subscribed to be asked instead.";

/** Adds the helper agent that asks, which clients of its root show. */
function withAgent(request: ServerRequest, { agent }: Thread): ServerRequest {
  if (agent === undefined) return request;
  const { self, tree } = agent;
  const asking = { agentPath: self.path, rootThreadId: tree.root.threadId };
  return { ...request, params: { ...request.params, ...asking } } as ServerRequest;
}

/** Flag of the thread status while a request is pending. */
const statusFlags: Partial<
  Record<ServerRequest["method"], "waitingOnApproval" | "waitingOnUserInput">
> = {
  "item/commandExecution/requestApproval": "waitingOnApproval",
  "item/fileChange/requestApproval": "waitingOnApproval",
  "item/permissions/requestApproval": "waitingOnApproval",
  "mcpServer/elicitation/request": "waitingOnUserInput",
  "item/tool/requestUserInput": "waitingOnUserInput",
};

/** Returns the request that an event carries; `undefined` for other events. */
export function toServerRequest(
  event: Event,
  projection: ThreadProjection,
): ServerRequest | undefined {
  switch (event.msg.type) {
    case "exec_approval_request":
      return commandRequest(event as EventOf<"exec_approval_request">, projection);
    case "apply_patch_approval_request":
      return patchRequest(event as EventOf<"apply_patch_approval_request">, projection);
    case "request_user_input":
      return userInputRequest(event as EventOf<"request_user_input">, projection);
    case "request_permissions":
      return permissionsRequest(event as EventOf<"request_permissions">, projection);
    case "elicitation_request":
      return elicitationRequest(event as EventOf<"elicitation_request">, projection);
    case "dynamic_tool_call_request":
      return toolCallRequest(event as EventOf<"dynamic_tool_call_request">, projection);
    default:
      return undefined;
  }
}
