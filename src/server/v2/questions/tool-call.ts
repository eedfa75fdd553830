import { isRecord } from "../../../protocol/read/record.js";
import type { DynamicToolContent, DynamicToolResponse } from "../../../protocol/types.js";
import { toEraFields } from "../era-fields.js";
import { turnOf } from "../from-event/place.js";
import type { Teller } from "../from-event/teller.js";
import type { EventOf } from "../from-event/translators.js";
import type { Question } from "./question.js";

/** Asks a client to run one of its own tools. */
export function toolCallQuestion(
  event: EventOf<"dynamic_tool_call_request">,
  teller: Teller,
): Question {
  const { callId, tool, namespace = null } = event.msg;
  const params = {
    threadId: teller.threadId,
    turnId: turnOf(event, teller),
    callId,
    namespace,
    tool,
    arguments: event.msg.arguments,
  };
  const toOp = (response: DynamicToolResponse) => ({
    type: "dynamic_tool_response" as const,
    id: callId,
    response,
  });
  return {
    key: callId,
    event,
    method: "item/tool/call",
    params: toEraFields(params, teller.era.lacks.DynamicToolCallParams),
    toOp: (answer) => toOp(readResponse(answer)),
    refusal: toOp(failed("dynamic tool request failed")),
    needsAbility: true,
  };
}

function readResponse(answer: unknown): DynamicToolResponse {
  if (!isRecord(answer)) return failed("dynamic tool response was invalid");
  const { contentItems, success = true } = answer;
  if (typeof success !== "boolean" || !Array.isArray(contentItems)) {
    return failed("dynamic tool response was invalid");
  }
  if (!contentItems.every(isContent)) return failed("dynamic tool response was invalid");
  return { contentItems, success };
}

function isContent(value: unknown): value is DynamicToolContent {
  if (!isRecord(value)) return false;
  if (value.type === "inputText") return typeof value.text === "string";
  return value.type === "inputImage" && typeof value.imageUrl === "string";
}

function failed(text: string): DynamicToolResponse {
  return { contentItems: [{ type: "inputText", text }], success: false };
}
