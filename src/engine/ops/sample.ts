import type { StreamItem } from "../../model/index.js";
import { CodexError } from "../../protocol/error.js";
import type { SampleResponseEvent, TokenUsage } from "../../protocol/types.js";
import { sideConversation } from "../conversation.js";
import { InstructionsMessage } from "../instructions.js";
import { userMessage } from "../messages.js";
import { buildPrompt } from "../prompt.js";
import type { Session } from "../session.js";
import { Task } from "../task.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Samples that are running, by the id of their submission. */
const running = new WeakMap<Session, Map<string, AbortController>>();

/** Asks the model with the conversation and a prompt, beside the conversation: nothing is recorded. */
const sample: OpHandler<"sample"> = (session, { prompt }, id) => {
  if (session.task !== undefined) {
    throw new CodexError("invalid_request", "sample source turn must be the latest finished turn");
  }
  const controller = new AbortController();
  const all = running.get(session) ?? new Map<string, AbortController>();
  running.set(session, all.set(id, controller));
  // The queue is not blocked: a turn may start while the model answers.
  void ask(session, prompt, id, controller.signal)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then((answer) => {
      all.delete(id);
      session.emit(id, { type: "sample_response", ...answer });
    });
};

/** Cancels a sample; one that has ended is ignored. */
const cancelSample: OpHandler<"cancel_sample"> = (session, { sample_id }) => {
  running.get(session)?.get(sample_id)?.abort(new Error("cancelled"));
};

type Answer = Omit<SampleResponseEvent, "type">;

async function ask(
  session: Session,
  prompt: string,
  id: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { parts, context, config, budget } = session;
  const error = await budget?.exceeded();
  if (error !== undefined) return { error };
  await parts.mcp.started;
  await parts.tools.prepare?.(context);
  const threadId = parts.newId();
  const task = new Task(session, id);
  const conversation = sideConversation(task, {
    id: threadId,
    turnId: task.turnId,
    context,
    tools: parts.tools,
    instructions: config.base_instructions,
    items: [...session.history.items, userMessage(prompt)],
  });
  const request = buildPrompt(conversation, {
    task,
    useStored: false,
    instructions: new InstructionsMessage(),
  });
  const answer: Answer = {};
  const identity = asSample(request, session.id, threadId);
  for await (const batch of parts.model.stream({ ...request, ...identity }, signal)) {
    for (const item of batch) read(item, answer);
  }
  budget?.add(answer.usage, context.model, { isBeside: true });
  if (answer.usage !== undefined) task.logSideUsage({ model: context.model, usage: answer.usage });
  return answer;
}

/** Names the conversation that the sample is from, for the model's server. */
function asSample(
  { headers = {}, metadata = {} }: Pick<ReturnType<typeof buildPrompt>, "headers" | "metadata">,
  sessionId: string,
  threadId: string,
) {
  const name = "x-codex-turn-metadata";
  const known = headers[name];
  if (known === undefined) return { conversationId: sessionId };
  const text = JSON.stringify({
    ...(JSON.parse(known) as object),
    history_initialization: "warm_fork",
    forked_from_thread_id: sessionId,
    thread_source: "thread_sample",
  });
  const ids = { "thread-id": threadId, "x-client-request-id": threadId };
  return {
    conversationId: sessionId,
    headers: { ...headers, ...ids, [name]: text },
    metadata: { ...metadata, [name]: text },
  };
}

function read(item: StreamItem, answer: Answer): void {
  switch (item.type) {
    case "item_done":
      if (item.item.type !== "message" || item.item.role !== "assistant") return;
      answer.text = item.item.content.map((part) => ("text" in part ? part.text : "")).join("");
      break;
    case "completed":
      if (item.responseId !== undefined) answer.response_id = item.responseId;
      if (item.usage !== undefined) answer.usage = item.usage satisfies TokenUsage;
      break;
    case "failed":
      answer.error = item.failure.message;
      break;
  }
}

/** Handlers of requests to the model beside the conversation. */
export const sampleOps = { sample, cancel_sample: cancelSample } satisfies Partial<OpHandlers>;
