import type { ModelBehavior } from "../../compat/index.js";
import { asString } from "../../lib/text.js";
import { isRecord, parseRecord } from "../../protocol/read/check.js";
import { responseFailure } from "../failure.js";
import type { AnswerBuilder, AnswerOptions } from "../lowered/answer-builder.js";
import { AnswerReader } from "../lowered/answer-reader.js";
import { packState } from "../lowered/provider-state.js";
import type { ModelProvider } from "../types.js";
import { failureOfEnd, readChatUsage, readDelta } from "./delta.js";
import type { ReasoningField } from "./messages.js";
import { ReasoningDetails } from "./reasoning-details.js";
import { ThinkTags } from "./think-tags.js";

/** Options of a reader. */
export interface ChatReaderOptions extends AnswerOptions {
  provider: Pick<ModelProvider, "wire_api" | "base_url">;
  behavior: ModelBehavior;
  /** Called with the field in which the server sends reasoning. */
  onReasoningField?: (field: ReasoningField) => void;
}

/** Parses the event stream of a chat completion into stream items. */
export class ChatReader extends AnswerReader {
  constructor(options: ChatReaderOptions) {
    const chunks = new ChunkParser(options);
    super(options, (data, answer) => chunks.read(data, answer));
  }
}

class ChunkParser {
  #options: ChatReaderOptions;
  #details = new ReasoningDetails();
  #tags = new ThinkTags();

  constructor(options: ChatReaderOptions) {
    this.#options = options;
  }

  read(data: string, answer: AnswerBuilder): void {
    if (data.trim() === "[DONE]") {
      // Without a reason before it, the answer may be cut off.
      this.#settle("length", answer);
      answer.complete();
      return;
    }
    const chunk = parseRecord(data);
    if (chunk === undefined) return;
    if (chunk.error) {
      const error = isRecord(chunk.error) ? chunk.error : { message: chunk.error };
      answer.fail(responseFailure(error, this.#options.behavior));
      return;
    }
    answer.start(chunk.id);
    this.#readChoice(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined, answer);
    answer.usage = readChatUsage(chunk.usage) ?? answer.usage;
    if (answer.settled && answer.usage !== undefined) answer.complete();
  }

  #readChoice(choice: unknown, answer: AnswerBuilder): void {
    if (!isRecord(choice) || answer.settled) return;
    const delta = readDelta(choice.delta ?? choice.message);
    if (delta.reasoningField !== undefined) this.#options.onReasoningField?.(delta.reasoningField);
    answer.addReasoning(delta.reasoning || this.#details.textOf(delta.details));
    this.#details.add(delta.details);
    for (const { isThought, text } of this.#tags.split(delta.text)) {
      if (isThought) answer.addReasoning(text);
      else answer.addText(text);
    }
    answer.addCalls(delta.calls);
    const reason = asString(choice.finish_reason);
    if (reason) this.#settle(reason, answer);
  }

  #settle(reason: string, answer: AnswerBuilder): void {
    if (answer.settled) return;
    answer.addText(this.#tags.rest());
    const extras = answer.calls.extras();
    const details = this.#details.all;
    if (extras !== undefined || details.length > 0) {
      const state = {
        ...(details.length > 0 ? { reasoning_details: details } : undefined),
        ...(extras === undefined ? undefined : { calls: extras }),
      };
      answer.setState(packState(this.#options.provider, state));
    }
    answer.settle(failureOfEnd(reason, answer.calls));
  }
}
