import { isRecord } from "../../protocol/read/check.js";
import type {
  DynamicToolContent,
  DynamicToolResponse,
  ElicitationAction,
  Op,
  UserInputResponse,
} from "../../protocol/types.js";
import { type EventOf, type ThreadProjection, turnOf } from "../feed/projection.js";
import type { ServerRequest } from "./request.js";

/** Returns the request to run a tool of the client. */
export function toolCallRequest(
  event: EventOf<"dynamic_tool_call_request">,
  projection: ThreadProjection,
): ServerRequest {
  const { callId, tool, namespace = null } = event.msg;
  const params = {
    threadId: projection.threadId,
    turnId: turnOf(event, projection),
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
    params,
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

/** Returns the request with the questions of the model to the user. */
export function userInputRequest(
  event: EventOf<"request_user_input">,
  projection: ThreadProjection,
): ServerRequest {
  const { call_id: itemId, questions } = event.msg;
  const params = {
    threadId: projection.threadId,
    turnId: turnOf(event, projection),
    itemId,
    questions: questions.map(({ isOther = false, isSecret = false, options = null, ...rest }) => ({
      ...rest,
      isOther,
      isSecret,
      options,
    })),
    isBlocking: true,
    autoResolutionMs: null,
  };
  const toOp = (response: UserInputResponse) => ({
    type: "user_input_answer" as const,
    id: itemId,
    response,
  });
  return {
    key: itemId,
    event,
    method: "item/tool/requestUserInput",
    params,
    toOp: (answer) => toOp(readAnswers(answer)),
    refusal: toOp({ answers: {} }),
    needsAbility: true,
  };
}

/** Reads the answers; unreadable ones count as not given. */
function readAnswers(answer: unknown): UserInputResponse {
  const given = isRecord(answer) && isRecord(answer.answers) ? answer.answers : {};
  const answers: UserInputResponse["answers"] = {};
  for (const [id, one] of Object.entries(given)) {
    const list = isRecord(one) ? one.answers : one;
    const texts = Array.isArray(list) ? list : [list];
    answers[id] = { answers: texts.filter((text) => typeof text === "string") };
  }
  return { answers };
}

/** Returns the elicitation of an MCP server. */
export function elicitationRequest(
  event: EventOf<"elicitation_request">,
  projection: ThreadProjection,
): ServerRequest {
  const { server_name, id, message, requested_schema = noFields } = event.msg;
  const params = {
    threadId: projection.threadId,
    turnId: projection.turn?.id ?? null,
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
