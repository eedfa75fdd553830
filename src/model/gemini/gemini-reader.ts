import type { ModelBehavior } from "../../compat/index.js";
import { asString } from "../../lib/text.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { TokenUsage } from "../../protocol/types.js";
import { responseFailure } from "../failure.js";
import type { AnswerBuilder, AnswerOptions } from "../lowered/answer-builder.js";
import { AnswerReader } from "../lowered/answer-reader.js";
import { packState } from "../lowered/provider-state.js";
import { numberIn } from "../lowered/usage.js";
import type { ModelFailure, ModelProvider } from "../types.js";

/** Options of a reader. */
export interface GeminiReaderOptions extends AnswerOptions {
  provider: ModelProvider;
  behavior: ModelBehavior;
}

/** Parses the event stream of the Gemini API, or a whole answer, into stream items. */
export class GeminiReader extends AnswerReader {
  constructor(options: GeminiReaderOptions) {
    const chunks = new ChunkParser(options);
    super(options, (data, answer) => chunks.read(data, answer));
  }
}

class ChunkParser {
  #options: GeminiReaderOptions;
  #signatures: JsonRecord = {};
  #textSignature: string | undefined;
  #calls = 0;

  constructor(options: GeminiReaderOptions) {
    this.#options = options;
  }

  /** Without a stream, the answer is the list of its chunks. */
  read(data: string, answer: AnswerBuilder): void {
    const value = parseJson(data);
    for (const chunk of Array.isArray(value) ? value : [value]) {
      if (isRecord(chunk)) this.#readChunk(chunk, answer);
    }
  }

  #readChunk(chunk: JsonRecord, answer: AnswerBuilder): void {
    if (isRecord(chunk.error)) {
      const { status, message } = chunk.error;
      answer.fail(responseFailure({ code: status, message }, this.#options.behavior));
      return;
    }
    answer.start(chunk.responseId);
    answer.usage = readUsage(chunk.usageMetadata) ?? answer.usage;
    const blocked = isRecord(chunk.promptFeedback) ? chunk.promptFeedback.blockReason : undefined;
    if (typeof blocked === "string") answer.fail(blockedBy(blocked));
    const candidate = Array.isArray(chunk.candidates) ? chunk.candidates[0] : undefined;
    if (!isRecord(candidate)) return;
    const parts = isRecord(candidate.content) ? candidate.content.parts : undefined;
    for (const part of Array.isArray(parts) ? parts.filter(isRecord) : []) this.#add(part, answer);
    const reason = asString(candidate.finishReason);
    if (reason) this.#settle(reason, answer);
  }

  #add(part: JsonRecord, answer: AnswerBuilder): void {
    const signature = asString(part.thoughtSignature);
    if (isRecord(part.functionCall)) {
      const { id = `call_${this.#options.newId()}`, name, args } = part.functionCall;
      const index = this.#calls++;
      const call = { index, id: asString(id), name: asString(name) };
      answer.addCalls([{ ...call, arguments: JSON.stringify(args ?? {}) }]);
      if (signature) this.#signatures[call.id ?? ""] = signature;
      return;
    }
    const text = asString(part.text) ?? "";
    if (part.thought === true) answer.addReasoning(text);
    else answer.addText(text);
    if (signature) this.#textSignature = signature;
  }

  #settle(reason: string, answer: AnswerBuilder): void {
    const calls = Object.keys(this.#signatures).length > 0 ? { calls: this.#signatures } : {};
    const text = this.#textSignature === undefined ? {} : { text: this.#textSignature };
    const state = { ...calls, ...text };
    if (Object.keys(state).length > 0) answer.setState(packState(this.#options.provider, state));
    const isFine = reason === "STOP" || reason === "MAX_TOKENS";
    answer.settle(isFine ? undefined : blockedBy(reason));
    if (answer.usage !== undefined) answer.complete();
  }
}

function blockedBy(reason: string): ModelFailure {
  const retryable = reason === "MALFORMED_FUNCTION_CALL" || reason === "OTHER";
  const message = `The model's server ended the answer (${reason}).`;
  return { kind: "response_failed", message, retryable };
}

function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const thoughts = numberIn(usage, "thoughtsTokenCount");
  const input = numberIn(usage, "promptTokenCount");
  const output = numberIn(usage, "candidatesTokenCount") + thoughts;
  return {
    input_tokens: input,
    cached_input_tokens: numberIn(usage, "cachedContentTokenCount"),
    output_tokens: output,
    reasoning_output_tokens: thoughts,
    total_tokens: numberIn(usage, "totalTokenCount") || input + output,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
