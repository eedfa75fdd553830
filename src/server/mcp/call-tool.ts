import { RpcError, type RpcRequest } from "../../jsonrpc/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { NewConversationParams } from "../../protocol/rpc/v1/conversation.js";
import { v1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import type { Connection } from "../connection.js";
import type { Thread } from "../thread/thread.js";
import { start, toConfigure } from "../v1/conversation.js";
import { notifyConfigured, runToolTurn } from "./tool-turn.js";
import { type ToolResult, toolFailure } from "./tools.js";

/** Handles `tools/call`. Failures are results too, so that the model can read them. */
export async function callTool(
  params: { name: string; arguments: JsonRecord },
  connection: Connection,
  request: RpcRequest,
): Promise<ToolResult> {
  const { name, arguments: given } = params;
  try {
    if (name === "codex") return await startSession(given, connection, request);
    if (name === "codex-reply") return await continueSession(given, connection, request);
    return toolFailure(`Unknown tool '${name.slice(0, 80)}'`);
  } catch (error) {
    if (error instanceof CodexError || error instanceof RpcError) return toolFailure(error.message);
    throw error;
  }
}

async function startSession(
  given: JsonRecord,
  connection: Connection,
  request: RpcRequest,
): Promise<ToolResult> {
  const prompt = requireText(given, "prompt");
  const settings = readSettings(given);
  const thread = await startThread(settings, connection);
  notifyConfigured(thread, connection, request.id);
  return runToolTurn({ thread, prompt, submissionId: String(request.id) }, connection, request);
}

async function continueSession(
  given: JsonRecord,
  connection: Connection,
  request: RpcRequest,
): Promise<ToolResult> {
  const { rpc } = connection.server.parts.era;
  const id = given.threadId ?? given.conversationId ?? given.conversation_id;
  const wanted = rpc.mcpThreadIds ? "threadId" : "conversationId";
  if (typeof id !== "string") throw badArguments(`missing field \`${wanted}\``);
  const prompt = requireText(given, "prompt");
  const thread = connection.server.threads.find(id);
  if (thread === undefined) {
    const what = rpc.mcpThreadIds ? "thread_id" : "conversation_id";
    return toolFailure(`Session not found for ${what}: ${id.slice(0, 80)}`);
  }
  return runToolTurn({ thread, prompt }, connection, request);
}

async function startThread(
  settings: NewConversationParams,
  connection: Connection,
): Promise<Thread> {
  try {
    return await start(toConfigure(settings, connection.server.parts.cwd), connection);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new CodexError("config", `Failed to start Codex session: ${error.message}`);
  }
}

/** Reads the arguments: the params of `newConversation` in kebab-case. */
function readSettings(given: JsonRecord): NewConversationParams {
  const entries = Object.entries(given).map(([name, value]) => [name.replaceAll("-", "_"), value]);
  const { prompt: _, ...settings } = Object.fromEntries(entries) as JsonRecord;
  try {
    return v1Methods.newConversation.check(settings);
  } catch (error) {
    throw badArguments(errorText(error));
  }
}

function requireText(given: JsonRecord, name: string): string {
  const value = given[name];
  if (value === undefined) throw badArguments(`missing field \`${name}\``);
  if (typeof value !== "string") throw badArguments(`\`${name}\` must be a string`);
  return value;
}

function badArguments(reason: string): CodexError {
  return new CodexError(
    "invalid_request",
    `Failed to parse configuration for Codex tool: ${reason}`,
  );
}

/** Reads the params of `tools/call`. */
export function readCall(params: unknown): { name: string; arguments: JsonRecord } {
  if (!isRecord(params) || typeof params.name !== "string") {
    throw new CodexError("invalid_request", "params.name must name a tool.");
  }
  const given = params.arguments ?? {};
  if (!isRecord(given)) {
    throw new CodexError("invalid_request", "params.arguments must be an object.");
  }
  return { name: params.name, arguments: given };
}
