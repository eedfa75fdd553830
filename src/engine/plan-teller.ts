import type { ItemTeller } from "./item-teller.js";
import { PlanSplitter, withoutPlans } from "./plan-blocks.js";
import type { Task } from "./task.js";

/** Tells the text of a message in plan mode: what is a plan as a plan, the rest as a message. */
export class PlanTeller {
  #task: Task;
  #items: ItemTeller;
  #splitter = new PlanSplitter();
  #text = "";

  constructor(task: Task, items: ItemTeller) {
    this.#task = task;
    this.#items = items;
  }

  tell(delta: string, itemId: string | undefined): void {
    this.#tellPieces(this.#splitter.push(delta), itemId);
  }

  /** The message is over: closes a plan that is open, and returns the message without its plans. */
  end(text: string, itemId: string | undefined): string {
    this.#tellPieces(this.#splitter.end(), itemId);
    this.#splitter = new PlanSplitter();
    const message = withoutPlans(text);
    if (message.trim() !== "") this.#completeMessage(message, itemId);
    return message;
  }

  #completeMessage(text: string, itemId: string | undefined): void {
    const id = this.#startMessage(itemId);
    this.#items.complete({ type: "AgentMessage", id, content: [{ type: "Text", text }] });
  }

  #startMessage(itemId: string | undefined): string {
    const id = this.#items.idOf(itemId) ?? this.#task.session.parts.newId();
    this.#items.start({ type: "AgentMessage", id, content: [] });
    return id;
  }

  #tellPieces(pieces: ReturnType<PlanSplitter["push"]>, itemId: string | undefined): void {
    const task = this.#task;
    const place = { thread_id: task.session.id, turn_id: task.turnId };
    const id = `${task.turnId}-plan`;
    for (const piece of pieces) {
      if (piece.type === "text") {
        this.#startMessage(itemId);
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
