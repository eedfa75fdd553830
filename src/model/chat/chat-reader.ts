import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ModelBehavior } from "../../compat/index.js";
import { asString } from "../../lib/text.js";
import { isRecord, parseRecord } from "../../protocol/read/check.js";
import type { TokenUsage } from "../../protocol/types.js";
import { brokenOff, closedEarly, eventTooLarge, responseFailure } from "../failure.js";
import type { StreamReader } from "../stream-reader.js";
import type { ModelFailure, StreamItem } from "../types.js";
import { CallParts } from "./call-parts.js";
import { failureOfEnd, readChatUsage, readDelta, toMessageItem, toReasoningItem } from "./delta.js";
import type { LoweredTools } from "./lowered-tools.js";
import type { ReasoningField } from "./messages.js";

/** Options of a reader. */
export interface ChatReaderOptions {
  behavior: ModelBehavior;
  tools: LoweredTools;
  newId: () => string;
  /** Called with the field in which the server sends reasoning. */
  onReasoningField?: (field: ReasoningField) => void;
  /** Largest response in characters. */
  limit?: number;
}

/** Far above any real response; a larger one is an attack. */
const largestAnswer = 64 * 1024 * 1024;

/**
 * Parses the event stream of a chat completion into stream items.
 *
 * However the server splits it, it yields at most one message, and complete calls.
 */
export class ChatReader implements StreamReader {
  #options: ChatReaderOptions;
  #parser: EventSourceParser;
  #batch: StreamItem[] = [];
  #calls: CallParts;
  #message: { id: string; text: string } | undefined;
  #reasoning: { id: string; text: string } | undefined;
  #responseId: string | undefined;
  #usage: TokenUsage | undefined;
  #size = 0;
  #settled = false;
  #ended = false;
  #events = 0;

  constructor(options: ChatReaderOptions) {
    this.#options = options;
    this.#calls = new CallParts(options.newId);
    const { limit = largestAnswer } = options;
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ data }) => this.#read(data),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#fail(eventTooLarge(limit));
      },
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  get settled(): boolean {
    return this.#settled;
  }

  get events(): number {
    return this.#events;
  }

  feed(text: string): readonly StreamItem[] {
    this.#parser.feed(text);
    return this.#take();
  }

  finish(): readonly StreamItem[] {
    if (this.#settled) this.#complete();
    else this.#fail(closedEarly());
    return this.#take();
  }

  #take(): readonly StreamItem[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  #read(data: string): void {
    this.#events++;
    if (this.#ended) return;
    if (data.trim() === "[DONE]") {
      this.#settle("stop");
      this.#complete();
      return;
    }
    const chunk = parseRecord(data);
    if (chunk === undefined) return;
    if (chunk.error) {
      const error = isRecord(chunk.error) ? chunk.error : { message: chunk.error };
      this.#fail(responseFailure(error, this.#options.behavior));
      return;
    }
    this.#readId(chunk.id);
    this.#readChoice(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined);
    this.#usage = readChatUsage(chunk.usage) ?? this.#usage;
    if (this.#settled && this.#usage !== undefined) this.#complete();
  }

  #readId(id: unknown): void {
    if (this.#responseId !== undefined || typeof id !== "string" || id === "") return;
    this.#responseId = id;
    this.#batch.push({ type: "created", responseId: id });
  }

  #readChoice(choice: unknown): void {
    if (!isRecord(choice) || this.#settled) return;
    const delta = readDelta(choice.delta ?? choice.message);
    this.#size += delta.size;
    const { limit = largestAnswer } = this.#options;
    if (this.#size > limit) {
      this.#fail(brokenOff("stream_closed", `the answer is larger than ${limit} characters`));
      return;
    }
    if (delta.reasoningField !== undefined) this.#options.onReasoningField?.(delta.reasoningField);
    if (delta.reasoning !== "") this.#addReasoning(delta.reasoning);
    if (delta.text !== "") this.#addText(delta.text);
    if (delta.calls.length > 0) this.#endReasoning();
    if (!this.#calls.add(delta.calls)) {
      this.#fail(brokenOff("response_failed", "it calls more tools than any model does"));
      return;
    }
    const reason = asString(choice.finish_reason);
    if (reason) this.#settle(reason);
  }

  #addReasoning(delta: string): void {
    if (this.#reasoning === undefined) {
      this.#reasoning = { id: `rs_${this.#options.newId()}`, text: "" };
      this.#batch.push({ type: "item_added", item: toReasoningItem(this.#reasoning) });
    }
    this.#reasoning.text += delta;
    const itemId = this.#reasoning.id;
    this.#batch.push({ type: "raw_reasoning_delta", delta, itemId, index: 0 });
  }

  #addText(delta: string): void {
    this.#endReasoning();
    if (this.#message === undefined) {
      this.#message = { id: `msg_${this.#options.newId()}`, text: "" };
      this.#batch.push({ type: "item_added", item: toMessageItem(this.#message) });
    }
    this.#message.text += delta;
    this.#batch.push({ type: "text_delta", delta, itemId: this.#message.id });
  }

  #endReasoning(): void {
    if (this.#reasoning === undefined) return;
    this.#batch.push({ type: "item_done", item: toReasoningItem(this.#reasoning) });
    this.#reasoning = undefined;
  }

  /** The response is complete; only usage may follow. */
  #settle(reason: string): void {
    if (this.#settled) return;
    const failure = failureOfEnd(reason, this.#calls);
    if (failure !== undefined) {
      this.#fail(failure);
      return;
    }
    this.#settled = true;
    this.#endReasoning();
    if (this.#message !== undefined) {
      this.#batch.push({ type: "item_done", item: toMessageItem(this.#message) });
    }
    for (const call of this.#calls.whole()) {
      this.#batch.push({ type: "item_done", item: this.#options.tools.raise(call) });
    }
  }

  #complete(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#batch.push({ type: "completed", responseId: this.#responseId, usage: this.#usage });
  }

  #fail(failure: ModelFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#batch.push({ type: "failed", failure });
  }
}
