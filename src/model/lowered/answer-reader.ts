import { createParser, type EventSourceParser } from "eventsource-parser";
import { closedEarly, eventTooLarge } from "../failure.js";
import type { StreamReader } from "../stream-reader.js";
import type { StreamItem } from "../types.js";
import { AnswerBuilder, type AnswerOptions, largestAnswer } from "./answer-builder.js";

/** Parses the data of one event into an answer. */
export type EventParser = (data: string, answer: AnswerBuilder) => void;

/** Parses the event stream of an answer into stream items. */
export class AnswerReader implements StreamReader {
  #answer: AnswerBuilder;
  #parse: EventParser;
  #parser: EventSourceParser;
  #events = 0;

  constructor(options: AnswerOptions, parse: EventParser) {
    const { limit = largestAnswer } = options;
    const answer = new AnswerBuilder(options);
    this.#answer = answer;
    this.#parse = parse;
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ data }) => {
        this.#events++;
        if (!answer.ended) parse(data, answer);
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") answer.fail(eventTooLarge(limit));
      },
    });
  }

  get ended(): boolean {
    return this.#answer.ended;
  }

  get settled(): boolean {
    return this.#answer.settled;
  }

  get events(): number {
    return this.#events;
  }

  feed(text: string): readonly StreamItem[] {
    this.#parser.feed(text);
    return this.#answer.take();
  }

  readWhole(body: string): readonly StreamItem[] {
    this.#parse(body, this.#answer);
    return this.finish();
  }

  finish(): readonly StreamItem[] {
    if (this.#answer.settled) this.#answer.complete();
    else this.#answer.fail(closedEarly());
    return this.#answer.take();
  }
}
