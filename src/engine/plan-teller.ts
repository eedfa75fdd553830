import type { ItemTeller } from "./item-teller.js";
import { PlanSplitter, withoutPlans } from "./plan-blocks.js";
import type { Task } from "./task.js";

/** Tells the text of a message in plan mode: what is a plan as a plan, the rest as a message. */
export class PlanTeller {
  #task: Task;
  #items: ItemTeller;
  #splitter = new PlanSplitter();
  /** What the plan says so far, from its beginning until the message is over. */
  #text: string | undefined;

  constructor(task: Task, items: ItemTeller) {
    this.#task = task;
    this.#items = items;
  }

  tell(delta: string, itemId: string | undefined): void {
    this.#tellPieces(this.#splitter.push(delta), itemId);
  }

  /** The message is over, and its plan with it; returns the message without its plans. */
  end(text: string, itemId: string | undefined): string {
    this.#tellPieces(this.#splitter.end(), itemId);
    this.#splitter = new PlanSplitter();
    this.#completePlan();
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
        this.#completePlan();
        this.#text = "";
        task.emit({ type: "item_started", ...place, item: { type: "Plan", id, text: "" } }, id);
      } else if (piece.type === "plan_text") {
        this.#text += piece.text;
        task.emit({ type: "plan_delta", ...place, item_id: id, delta: piece.text }, id);
      }
    }
  }

  #completePlan(): void {
    if (this.#text === undefined) return;
    const { session, turnId } = this.#task;
    const place = { thread_id: session.id, turn_id: turnId };
    const item = { type: "Plan", id: `${turnId}-plan`, text: this.#text } as const;
    this.#task.emit({ type: "item_completed", ...place, item }, item.id);
    this.#text = undefined;
  }
}
