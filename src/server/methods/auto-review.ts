import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type { ThreadApproveGuardianDeniedActionParams } from "../../protocol/rpc/v2/auto-review.js";
import type { Connection, V2Handlers } from "../connection.js";

/** Handlers of the automatic reviewer of approvals. */
export const autoReviewHandlers = {
  "thread/approveGuardianDeniedAction": approveDenied,
} satisfies Partial<V2Handlers>;

async function approveDenied(
  { threadId, event }: ThreadApproveGuardianDeniedActionParams,
  connection: Connection,
): Promise<Record<string, never>> {
  const thread = connection.thread(threadId);
  const { newId } = connection.server.parts;
  const denial = readDenial(event);
  const op = { type: "approve_guardian_denied_action", event: denial } as const;
  await thread.request(op, newId(), "submission_accepted");
  thread.state.denials.delete(denial.id);
  return {};
}

function readDenial(event: unknown): { id: string } {
  const problem = (text: string) =>
    new CodexError("invalid_request", `invalid Guardian denial event: ${text}`);
  if (!isRecord(event)) throw problem("expected an object");
  const { id, status } = event;
  if (typeof id !== "string") throw problem("missing field `id`");
  if (status !== "denied") {
    throw problem(`expected \`status\` to be "denied" (got ${JSON.stringify(status)})`);
  }
  return { id };
}
