import { closedEarly } from "../../model/failure.js";
import type { ModelFailure, StreamItem } from "../../model/types.js";
import type { Task } from "../task.js";
import type { StreamReader } from "../turn.js";

/** Takes a summary from a response; the client hears only what it costs. */
export class SummaryReader implements StreamReader {
  #task: Task;
  #summary = "";
  #failure: ModelFailure | undefined = closedEarly();

  constructor(task: Task) {
    this.#task = task;
  }

  read(item: StreamItem): undefined {
    const { tokens } = this.#task.session;
    if (item.type === "accepted") {
      tokens.setRateLimits(item.rateLimits);
      this.#tellTokens();
    } else if (item.type === "item_done" && item.item.type === "message") {
      const parts = item.item.content.map((part) => ("text" in part ? part.text : ""));
      this.#summary = parts.join("");
    } else if (item.type === "completed") {
      this.#failure = undefined;
      tokens.add(item.usage);
    } else if (item.type === "failed") {
      this.#failure = item.failure;
    }
    return undefined;
  }

  finish(): { failure?: ModelFailure; summary: string } {
    if (this.#failure !== undefined) return { failure: this.#failure, summary: "" };
    this.#tellTokens();
    return { summary: this.#summary };
  }

  #tellTokens(): void {
    const { session } = this.#task;
    this.#task.emit(session.tokens.event(session.contextWindow));
  }
}
