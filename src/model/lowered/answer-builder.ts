import type { ResponseItem, TokenUsage } from "../../protocol/types.js";
import { brokenOff, tooManyCalls } from "../failure.js";
import type { ModelFailure, StreamItem } from "../types.js";
import { type CallPart, CallParts } from "./call-parts.js";
import type { LoweredTools } from "./lowered-tools.js";

/** Options of a builder. */
export interface AnswerOptions {
  tools: LoweredTools;
  /** Creates ids for items and for calls that the model sent without one. */
  newId: () => string;
  /** Largest response in characters. */
  limit?: number;
}

/** Far above any real response; a larger one is an attack. */
export const largestAnswer = 64 * 1024 * 1024;

/**
 * Builds the stream items of an answer from its pieces.
 *
 * However the server splits it, it yields at most one message, and complete calls.
 */
export class AnswerBuilder {
  /** Tokens that the server reported so far. */
  usage: TokenUsage | undefined;
  readonly calls: CallParts;
  #options: AnswerOptions;
  #batch: StreamItem[] = [];
  #message: { id: string; text: string } | undefined;
  #reasoning: { id: string; text: string } | undefined;
  #state: string | undefined;
  #responseId: string | undefined;
  #size = 0;
  #settled = false;
  #ended = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.calls = new CallParts(options.newId);
  }

  /** True if the answer has ended, successfully or not. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True if the answer is complete; only usage may follow. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Returns the items since the last call. */
  take(): readonly StreamItem[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  start(responseId: unknown): void {
    if (this.#responseId !== undefined) return;
    if (typeof responseId !== "string" || responseId === "") return;
    this.#responseId = responseId;
    this.#batch.push({ type: "created", responseId });
  }

  addReasoning(delta: string): void {
    if (delta === "" || !this.#grow(delta.length)) return;
    if (this.#reasoning === undefined) {
      this.#reasoning = { id: `rs_${this.#options.newId()}`, text: "" };
      this.#batch.push({ type: "item_added", item: toReasoningItem(this.#reasoning) });
    }
    this.#reasoning.text += delta;
    const itemId = this.#reasoning.id;
    this.#batch.push({ type: "raw_reasoning_delta", delta, itemId, index: 0 });
  }

  addText(delta: string): void {
    if (delta === "" || !this.#grow(delta.length)) return;
    this.endReasoning();
    if (this.#message === undefined) {
      this.#message = { id: `msg_${this.#options.newId()}`, text: "" };
      this.#batch.push({ type: "item_added", item: toMessageItem(this.#message) });
    }
    this.#message.text += delta;
    this.#batch.push({ type: "text_delta", delta, itemId: this.#message.id });
  }

  addCalls(parts: readonly CallPart[]): void {
    if (parts.length === 0 || !this.#grow(parts.reduce((sum, part) => sum + sizeOf(part), 0))) {
      return;
    }
    this.endReasoning();
    if (!this.calls.add(parts)) this.fail(tooManyCalls());
  }

  /** Ends the current reasoning; `state` goes back to the server with it. */
  endReasoning(state?: string): void {
    if (this.#reasoning === undefined && state === undefined) return;
    const reasoning = this.#reasoning ?? { id: `rs_${this.#options.newId()}`, text: "" };
    this.#batch.push({ type: "item_done", item: toReasoningItem(reasoning, state) });
    this.#reasoning = undefined;
  }

  /** Sets what goes back to the server with the whole answer. */
  setState(state: string): void {
    this.#state = state;
  }

  /** Ends message and calls. */
  settle(failure?: ModelFailure): void {
    if (this.#settled || this.#ended) return;
    if (failure !== undefined || !this.calls.haveNames()) {
      this.fail(failure ?? brokenOff("response_failed", "a tool call has no name"));
      return;
    }
    this.#settled = true;
    this.endReasoning();
    if (this.#state !== undefined) this.endReasoning(this.#state);
    if (this.#message !== undefined) {
      this.#batch.push({ type: "item_done", item: toMessageItem(this.#message) });
    }
    for (const call of this.calls.whole()) {
      this.#batch.push({ type: "item_done", item: this.#options.tools.raise(call) });
    }
  }

  complete(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#batch.push({ type: "completed", responseId: this.#responseId, usage: this.usage });
  }

  fail(failure: ModelFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#batch.push({ type: "failed", failure });
  }

  #grow(size: number): boolean {
    if (this.#settled || this.#ended) return false;
    this.#size += size;
    const { limit = largestAnswer } = this.#options;
    if (this.#size <= limit) return true;
    this.fail(brokenOff("stream_closed", `the answer is larger than ${limit} characters`));
    return false;
  }
}

function sizeOf({ id = "", name = "", arguments: args }: CallPart): number {
  return id.length + name.length + args.length;
}

/** Returns the item of a message; without text it has just started. */
function toMessageItem({ id, text }: { id: string; text: string }): ResponseItem {
  const content = text === "" ? [] : [{ type: "output_text" as const, text }];
  return { type: "message", id, role: "assistant", content };
}

/** Returns the item of reasoning; without text it has just started, or is hidden. */
function toReasoningItem(
  { id, text }: { id: string; text: string },
  state: string | null = null,
): ResponseItem {
  const content = text === "" ? null : [{ type: "reasoning_text" as const, text }];
  return { type: "reasoning", id, summary: [], content, encrypted_content: state };
}
