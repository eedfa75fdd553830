import { CodexError } from "../../protocol/error.js";
import type {
  ThreadSampleCancelParams,
  ThreadSampleParams,
  ThreadSampleResponse,
} from "../../protocol/rpc/v2/thread-sample.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { historyOf } from "../history/history.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/thread.js";
import { refuseParams } from "./refuse-params.js";

/** Creates the handlers of requests to the model beside a conversation. */
export function createSampleHandlers() {
  /** Samples that are running, by the id of their request. */
  const running = new WeakMap<Connection, Map<string | number, () => void>>();
  return {
    "thread/sample": async (params, connection, request) => {
      refuseParams("thread/sample", params, unsupportedParams);
      const { thread, id } = await startable(params, connection);
      const all = running.get(connection) ?? new Map<string | number, () => void>();
      running.set(connection, all);
      const cancel = () => thread.submit({ type: "cancel_sample", sample_id: id });
      if (request.id !== undefined) all.set(request.id, cancel);
      request.signal.addEventListener("abort", cancel, { once: true });
      try {
        return await sample(params, thread, id);
      } finally {
        request.signal.removeEventListener("abort", cancel);
        if (request.id !== undefined) all.delete(request.id);
      }
    },
    "thread/sample/cancel": ({ requestId }: ThreadSampleCancelParams, connection: Connection) => {
      running.get(connection)?.get(requestId)?.();
      return {};
    },
  } satisfies Partial<V2Handlers>;
}

const unsupportedParams = {
  effort: "a sample has the effort of the thread",
  disableMcp: "a sample has the tools of the thread",
  responsesapiClientMetadata: "requests carry no metadata of clients",
};

/** Checks that the thread can be sampled. */
async function startable(
  { threadId, expectedTurnId, prompt }: ThreadSampleParams,
  { server }: Connection,
): Promise<{ thread: Thread; id: string }> {
  assertThreadId(threadId);
  const bytes = Buffer.byteLength(prompt);
  if (expectedTurnId === "" || bytes === 0 || bytes > maxPromptBytes) {
    throw refused("thread/sample requires expectedTurnId and a prompt of at most 4000 bytes");
  }
  const thread = server.threads.find(threadId);
  if (thread === undefined) throw refused("thread/sample requires a loaded source");
  const isLatest = !thread.isBusy && (await lastTurnOf(thread, server)) === expectedTurnId;
  if (!isLatest) throw refused("sample source turn must be the latest finished turn");
  return { thread, id: server.parts.newId() };
}

const maxPromptBytes = 4000;

async function lastTurnOf(thread: Thread, { history }: Server): Promise<string | undefined> {
  const source = historyOf(thread);
  return thread.state.lastTurnId ?? (source && history.lastTurnId(source.path));
}

async function sample(
  { expectedTurnId, prompt }: ThreadSampleParams,
  thread: Thread,
  id: string,
): Promise<ThreadSampleResponse> {
  const op = { type: "sample", prompt } as const;
  const { response_id, text, usage, error } = await thread.request(op, id, "sample_response");
  if (error !== undefined) throw new CodexError("model", `thread/sample failed: ${error}`);
  return {
    sourceTurnId: expectedTurnId,
    responseId: response_id ?? "",
    text: text ?? null,
    inputTokens: usage?.input_tokens ?? null,
    cachedInputTokens: usage?.cached_input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
  };
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
