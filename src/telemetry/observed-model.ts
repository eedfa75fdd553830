import type { ModelClient, Prompt, StreamItem } from "../model/index.js";
import type { ResponseItem, TokenUsage } from "../protocol/types.js";
import { toMessages } from "./content.js";
import { type SessionTrace, secondsSince } from "./session-trace.js";
import type { Attributes, Span } from "./telemetry.js";
import { toHeaders } from "./trace-context.js";

/** Measures each request to a model as a span `chat MODEL`. */
export function observedModel(client: ModelClient, session: SessionTrace): ModelClient {
  return {
    async *stream(prompt, signal) {
      const request = new ObservedRequest(prompt, session);
      try {
        for await (const batch of client.stream(request.prompt, signal)) {
          for (const item of batch) request.read(item);
          yield batch;
        }
      } finally {
        request.end(signal.aborted);
      }
    },
    close: () => client.close(),
  };
}

/** One request, while its response is read. */
class ObservedRequest {
  /** The prompt with the trace context in its headers. */
  readonly prompt: Prompt;
  readonly #session: SessionTrace;
  readonly #span: Span;
  readonly #attributes: Attributes;
  readonly #startedAt = performance.now();
  #usage: TokenUsage | undefined;
  #failure: string | undefined;
  #isComplete = false;
  #hasStarted = false;
  #callCount = 0;
  #text = "";

  constructor(prompt: Prompt, session: SessionTrace) {
    const { model, conversationId } = prompt;
    this.#session = session;
    this.#attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": model,
      ...session.common,
    };
    this.#span = session.telemetry.startSpan(`chat ${model}`, {
      kind: "client",
      parent: session.context,
      attributes: {
        ...this.#attributes,
        "gen_ai.conversation.id": conversationId,
        "gen_ai.output.type": prompt.outputSchema === undefined ? "text" : "json",
      },
    });
    const trace = session.isPropagated ? toHeaders(this.#span.context) : {};
    this.prompt = { ...prompt, headers: { ...prompt.headers, ...trace } };
  }

  read(item: StreamItem): void {
    switch (item.type) {
      case "text_delta":
      case "reasoning_delta":
      case "item_added":
        if (!this.#hasStarted) this.#start();
        return;
      case "created":
        this.#span.set({ "gen_ai.response.id": item.responseId });
        return;
      case "item_done":
        this.#readItem(item.item);
        return;
      case "completed":
        this.#isComplete = true;
        this.#usage = item.usage;
        this.#span.set({ "gen_ai.response.id": item.responseId });
        return;
      case "failed":
        this.#failure = item.failure.status?.toString() ?? item.failure.kind;
        return;
    }
  }

  end(isAborted: boolean): void {
    const aborted = isAborted ? "aborted" : "stream_closed";
    const error = this.#failure ?? (this.#isComplete ? undefined : aborted);
    const { telemetry } = this.#session;
    const attributes = { ...this.#attributes, "error.type": error };
    const seconds = secondsSince(this.#startedAt);
    telemetry.record("gen_ai.client.operation.duration", seconds, attributes);
    if (this.#usage !== undefined) this.#addUsage(this.#usage);
    this.#span.set({
      "gen_ai.response.finish_reasons": this.#isComplete
        ? [this.#callCount > 0 ? "tool_call" : "stop"]
        : undefined,
      "gen_ai.output.messages": this.#text === "" ? undefined : toMessages("assistant", this.#text),
    });
    this.#span.run(() =>
      telemetry.log(
        "codex.api_request",
        {
          "conversation.id": this.#session.id,
          model: this.prompt.model,
          duration_ms: Math.round(seconds * 1000),
          "error.type": error,
          input_token_count: this.#usage?.input_tokens,
          cached_token_count: this.#usage?.cached_input_tokens,
          output_token_count: this.#usage?.output_tokens,
          reasoning_token_count: this.#usage?.reasoning_output_tokens,
        },
        error === undefined ? "info" : "error",
      ),
    );
    this.#span.end(error);
  }

  /** The first piece of the response has arrived. */
  #start(): void {
    this.#hasStarted = true;
    const { telemetry } = this.#session;
    const seconds = secondsSince(this.#startedAt);
    telemetry.record("gen_ai.client.operation.time_to_first_chunk", seconds, this.#attributes);
  }

  #readItem(item: ResponseItem): void {
    if (!this.#hasStarted) this.#start();
    if (item.type === "message") {
      const text = item.content.map((part) => ("text" in part ? part.text : "")).join("");
      this.#text += this.#session.content.response(text) ?? "";
    }
    const id = callIdOf(item);
    if (id === undefined) return;
    this.#callCount++;
    this.#session.addCall(id, this.#span.context);
  }

  #addUsage(usage: TokenUsage): void {
    const { telemetry } = this.#session;
    this.#session.addUsage(usage);
    for (const type of ["input", "output"] as const) {
      const attributes = { ...this.#attributes, "gen_ai.token.type": type };
      telemetry.record("gen_ai.client.token.usage", usage[`${type}_tokens`], attributes);
    }
    this.#span.set({
      "gen_ai.usage.input_tokens": usage.input_tokens,
      "gen_ai.usage.output_tokens": usage.output_tokens,
      "gen_ai.usage.cache_read.input_tokens": usage.cached_input_tokens,
      "gen_ai.usage.reasoning.output_tokens": usage.reasoning_output_tokens,
    });
  }
}

/** Returns the id of the call that an item makes. */
function callIdOf(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call":
    case "tool_search_call":
      return item.call_id;
    case "local_shell_call":
      return item.call_id ?? item.id ?? undefined;
    default:
      return undefined;
  }
}
