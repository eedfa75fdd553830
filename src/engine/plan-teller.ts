import { PlanSplitter, withoutPlans } from "./plan-blocks.js";
import type { Task } from "./task.js";

/** Tells the text of a message in plan mode: what is a plan as a plan, the rest as a message. */
export class PlanTeller {
  #task: Task;
  #splitter = new PlanSplitter();
  #text = "";

  constructor(task: Task) {
    this.#task = task;
  }

  tell(delta: string, itemId: string | undefined): void {
    this.#tellPieces(this.#splitter.push(delta), itemId);
  }

  /** The message is over: closes a plan that is open, and returns the message without its plans. */
  end(text: string, itemId: string | undefined): string {
    this.#tellPieces(this.#splitter.end(), itemId);
    this.#splitter = new PlanSplitter();
    return withoutPlans(text);
  }

  #tellPieces(pieces: ReturnType<PlanSplitter["push"]>, itemId: string | undefined): void {
    const task = this.#task;
    const place = { thread_id: task.session.id, turn_id: task.turnId };
    const id = `${task.turnId}-plan`;
    for (const piece of pieces) {
      if (piece.type === "text") {
        task.emit({ type: "agent_message_delta", delta: piece.text }, itemId);
      } else if (piece.type === "plan_start") {
        this.#text = "";
        task.emit({ type: "item_started", ...place, item: { type: "Plan", id, text: "" } }, id);
      } else if (piece.type === "plan_text") {
        this.#text += piece.text;
        task.emit({ type: "plan_delta", ...place, item_id: id, delta: piece.text }, id);
      } else {
        const item = { type: "Plan", id, text: this.#text } as const;
        task.emit({ type: "item_completed", ...place, item }, id);
      }
    }
  }
}
