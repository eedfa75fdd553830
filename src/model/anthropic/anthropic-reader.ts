import type { ModelBehavior } from "../../compat/index.js";
import { asString } from "../../lib/text.js";
import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import { brokenOff, responseFailure } from "../failure.js";
import type { AnswerBuilder, AnswerOptions } from "../lowered/answer-builder.js";
import { AnswerReader } from "../lowered/answer-reader.js";
import { packState } from "../lowered/provider-state.js";
import { numberIn } from "../lowered/usage.js";
import type { ModelFailure, ModelProvider } from "../types.js";

/** Options of a reader. */
export interface AnthropicReaderOptions extends AnswerOptions {
  provider: ModelProvider;
  behavior: ModelBehavior;
}

/** Parses the event stream of a message of Anthropic's API, or a whole message, into stream items. */
export class AnthropicReader extends AnswerReader {
  constructor(options: AnthropicReaderOptions) {
    const events = new MessageParser(options);
    super(options, (data, answer) => events.read(data, answer));
  }
}

class MessageParser {
  #options: AnthropicReaderOptions;
  #signature = "";
  /** True while the block of a call has not ended. */
  #isInCall = false;
  #usage: JsonRecord = {};

  constructor(options: AnthropicReaderOptions) {
    this.#options = options;
  }

  read(data: string, answer: AnswerBuilder): void {
    const event = parseRecord(data);
    switch (event?.type) {
      case "message_start": {
        const message = isRecord(event.message) ? event.message : {};
        answer.start(message.id);
        this.#count(message.usage, answer);
        return;
      }
      case "content_block_start":
        this.#startBlock(event.index, event.content_block, answer);
        return;
      case "content_block_delta":
        this.#addDelta(event.index, event.delta, answer);
        return;
      case "content_block_stop":
        this.#isInCall = false;
        this.#endBlock(answer);
        return;
      case "message_delta": {
        this.#count(event.usage, answer);
        const reason = isRecord(event.delta) ? asString(event.delta.stop_reason) : undefined;
        if (reason) answer.settle(failureOfStop(reason, answer));
        return;
      }
      case "message_stop":
        answer.settle(this.#failureOfEnd(answer));
        answer.complete();
        return;
      case "message":
        this.#readWhole(event, answer);
        return;
      case "error":
        answer.fail(toFailure(event.error, this.#options.behavior));
        return;
      default: // `ping`, and what comes later
    }
  }

  #startBlock(index: unknown, block: unknown, answer: AnswerBuilder): void {
    if (!isRecord(block)) return;
    answer.addText(asString(block.text) ?? "");
    answer.addReasoning(asString(block.thinking) ?? "");
    this.#signature = asString(block.signature) ?? "";
    if (block.type === "redacted_thinking") {
      answer.endReasoning(packState(this.#options.provider, { redacted: block.data }));
    }
    if (block.type !== "tool_use") return;
    this.#isInCall = true;
    const input = isRecord(block.input) && Object.keys(block.input).length > 0 ? block.input : "";
    answer.addCalls([
      {
        index: numberOf(index),
        id: asString(block.id),
        name: asString(block.name),
        arguments: input === "" ? "" : JSON.stringify(input),
        starts: true,
      },
    ]);
  }

  #addDelta(index: unknown, delta: unknown, answer: AnswerBuilder): void {
    if (!isRecord(delta)) return;
    answer.addText(asString(delta.text) ?? "");
    answer.addReasoning(asString(delta.thinking) ?? "");
    this.#signature += asString(delta.signature) ?? "";
    const json = asString(delta.partial_json);
    if (!json) return;
    answer.addCalls([{ index: numberOf(index), id: undefined, name: undefined, arguments: json }]);
  }

  /** Without a reason, which usually precedes the end, the message may be cut off. */
  #failureOfEnd(answer: AnswerBuilder): ModelFailure | undefined {
    if (answer.settled || (!this.#isInCall && answer.calls.areWhole())) return undefined;
    return brokenOff("response_failed", "the message ended inside a tool call");
  }

  /** The signature arrives after the thought, which ends with it. */
  #endBlock(answer: AnswerBuilder): void {
    if (this.#signature === "") return;
    answer.endReasoning(packState(this.#options.provider, { signature: this.#signature }));
    this.#signature = "";
  }

  #readWhole(message: JsonRecord, answer: AnswerBuilder): void {
    answer.start(message.id);
    const blocks = Array.isArray(message.content) ? message.content : [];
    for (const [index, block] of blocks.entries()) {
      this.#startBlock(index, block, answer);
      this.#endBlock(answer);
    }
    this.#count(message.usage, answer);
    answer.settle(failureOfStop(asString(message.stop_reason) ?? "end_turn", answer));
  }

  /** The first event has the tokens of the input, the last one those of the output. */
  #count(usage: unknown, answer: AnswerBuilder): void {
    if (!isRecord(usage)) return;
    for (const [name, value] of Object.entries(usage)) {
      if (typeof value === "number") this.#usage[name] = value;
    }
    const cached = numberIn(this.#usage, "cache_read_input_tokens");
    const written = numberIn(this.#usage, "cache_creation_input_tokens");
    const input = numberIn(this.#usage, "input_tokens") + cached + written;
    const output = numberIn(this.#usage, "output_tokens");
    answer.usage = {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: 0,
      total_tokens: input + output,
    };
  }
}

function failureOfStop(reason: string, answer: AnswerBuilder): ModelFailure | undefined {
  if (reason === "refusal") {
    const message = "The model's server blocked the answer (refusal).";
    return { kind: "response_failed", message, retryable: false };
  }
  if (reason === "model_context_window_exceeded") {
    const message =
      "The conversation is longer than the model can read. Compact it or start a new thread.";
    return { kind: "context_length_exceeded", message, retryable: false };
  }
  // A truncated message can be used, a truncated call must not run.
  if (reason !== "max_tokens" || answer.calls.areWhole()) return undefined;
  return brokenOff("response_failed", `Incomplete response returned, reason: ${reason}`);
}

function toFailure(error: unknown, behavior: ModelBehavior): ModelFailure {
  const { type, message } = isRecord(error) ? error : { type: undefined, message: error };
  const code = type === "overloaded_error" ? "server_is_overloaded" : type;
  return responseFailure({ code, message: asString(message) }, behavior);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
