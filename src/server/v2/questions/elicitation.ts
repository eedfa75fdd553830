import { isRecord } from "../../../protocol/read/record.js";
import type { ElicitationAction, Op } from "../../../protocol/types.js";
import type { Teller } from "../from-event/teller.js";
import type { EventOf } from "../from-event/translators.js";
import type { Question } from "./question.js";

/** Asks the user what an MCP server wants to know. */
export function elicitationQuestion(
  event: EventOf<"elicitation_request">,
  teller: Teller,
): Question {
  const { server_name, id, message, requested_schema = noFields } = event.msg;
  const params = {
    threadId: teller.threadId,
    turnId: teller.turn?.id ?? null,
    serverName: server_name,
    mode: "form" as const,
    _meta: null,
    message,
    requestedSchema: requested_schema,
  };
  const toOp = (decision: ElicitationAction, content?: Record<string, unknown>): Op => ({
    type: "resolve_elicitation",
    server_name,
    request_id: id,
    decision,
    ...(content === undefined ? {} : { content }),
  });
  return {
    key: `${server_name} ${id}`,
    event,
    method: "mcpServer/elicitation/request",
    params,
    toOp(answer) {
      const { action, content } = isRecord(answer) ? answer : { action: answer };
      if (action === "accept") return toOp("accept", isRecord(content) ? content : {});
      return toOp(action === "cancel" ? "cancel" : "decline");
    },
    refusal: toOp("decline"),
  };
}

const noFields = { type: "object", properties: {} };
