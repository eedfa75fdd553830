import { reviewHint } from "../../engine/review/index.js";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ReviewStartParams, ReviewStartResponse } from "../../protocol/rpc/v2/review.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { ReviewTarget } from "../../protocol/types.js";
import type { Connection, V2Handlers } from "../connection.js";
import { startedTurn } from "../feed/turn.js";
import { toUserMessageItem } from "../items/messages.js";
import type { Thread } from "../thread/thread.js";
import { copyThread } from "./thread-fork.js";
import { describeLive } from "./thread-view.js";

/** Handler of `review/start`. */
export const reviewHandlers = {
  "review/start": startReview,
} satisfies Partial<V2Handlers>;

async function startReview(
  { threadId, target, delivery }: ReviewStartParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ReviewStartResponse> {
  const parent = connection.thread(threadId);
  const wanted = trimmed(target);
  const thread = delivery === "detached" ? await copyFor(parent, connection) : parent;
  const { parts, feeds } = connection.server;
  const hint = reviewHint({ target: wanted });
  const turn = startedReview(parts.newId(), hint);
  request.afterReply(() => {
    connection.subscribe(thread);
    feeds.of(thread).announce(turn);
    const review_request = { target: wanted, user_facing_hint: hint };
    thread.submit({ type: "review", review_request }, turn.id, request.trace);
  });
  return { turn: turn, reviewThreadId: thread.id };
}

/** Forks the thread for a detached review; clients are notified of the fork before the reply. */
async function copyFor(parent: Thread, connection: Connection): Promise<Thread> {
  const { server } = connection;
  const path = parent.configured.rollout_path;
  if (path === "") {
    const message = "A review of a thread that is not kept is only possible in the thread itself.";
    throw new CodexError("invalid_request", message);
  }
  const copy = await copyThread(path, {}, connection);
  server.notifyAll("thread/started", { thread: await describeLive(copy, server) });
  connection.subscribe(copy, { after: 0 });
  return copy;
}

function startedReview(id: string, hint: string): Turn {
  const item = toUserMessageItem(id, [{ type: "text", text: hint }]);
  const items = [{ ...item, startedAtMs: null, completedAtMs: null }];
  return { ...startedTurn(id), rootTurnId: null, items };
}

function trimmed(target: ReviewTarget): ReviewTarget {
  switch (target.type) {
    case "uncommittedChanges":
      return target;
    case "baseBranch":
      return { ...target, branch: notEmpty(target.branch, "branch") };
    case "commit": {
      const title = target.title?.trim();
      const sha = notEmpty(target.sha, "sha");
      return title ? { type: "commit", sha, title } : { type: "commit", sha };
    }
    case "custom":
      return { ...target, instructions: notEmpty(target.instructions, "instructions") };
  }
}

function notEmpty(text: string, name: string): string {
  const trimmedText = text.trim();
  if (trimmedText !== "") return trimmedText;
  throw new CodexError("invalid_request", `${name} must not be empty`);
}
