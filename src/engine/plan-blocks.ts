import type { ItemEvents } from "./item-events.js";
import type { Task } from "./task.js";

/** A piece of streamed text: part of the message or of a plan inside it. */
export type PlanPiece =
  | { type: "text"; text: string }
  | { type: "plan_start" }
  | { type: "plan_text"; text: string }
  | { type: "plan_end" };

/**
 * Separates plans from a message while it streams.
 *
 * A plan is enclosed in `<proposed_plan>` and `</proposed_plan>`, each on a separate line. Text is
 * returned at once, except the start of a line that may still become a tag. Pass each delta to
 * `push`, and call `end` after the message, which also closes an open plan.
 */
export class PlanSplitter {
  #inPlan = false;
  /** The beginning of a line that may be a tag. */
  #held = "";
  /** True if the current line is known to be text. */
  #midLine = false;

  push(delta: string): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    for (const part of delta.split(/(?<=\n)/)) this.#readPart(part, pieces);
    return pieces;
  }

  end(): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    if (this.#held !== "") this.#readLine(this.#held, pieces);
    this.#held = "";
    this.#midLine = false;
    if (this.#inPlan) pieces.push({ type: "plan_end" });
    this.#inPlan = false;
    return pieces;
  }

  /** Reads a line or the part of one; only its last character may be a line end. */
  #readPart(part: string, pieces: PlanPiece[]): void {
    const endsLine = part.endsWith("\n");
    if (this.#midLine) {
      this.#addText(part, pieces);
      this.#midLine = !endsLine;
      return;
    }
    this.#held += part;
    if (!endsLine && mayBecomeTag(this.#held)) return;
    if (endsLine) this.#readLine(this.#held, pieces);
    else this.#addText(this.#held, pieces);
    this.#held = "";
    this.#midLine = !endsLine;
  }

  #readLine(line: string, pieces: PlanPiece[]): void {
    const word = line.length > longestHeld + 1 ? "" : line.trim(); // with its line end
    if (word === openTag && !this.#inPlan) {
      this.#inPlan = true;
      pieces.push({ type: "plan_start" });
    } else if (word === closeTag && this.#inPlan) {
      this.#inPlan = false;
      pieces.push({ type: "plan_end" });
    } else this.#addText(line, pieces);
  }

  #addText(text: string, pieces: PlanPiece[]): void {
    if (text === "") return;
    const type = this.#inPlan ? "plan_text" : "text";
    const last = pieces.at(-1);
    if (last?.type === type) last.text += text;
    else pieces.push({ type, text });
  }
}

/** A message without its plans. */
export function withoutPlans(text: string): string {
  return piecesOf(text)
    .map((piece) => (piece.type === "text" ? piece.text : ""))
    .join("");
}

const openTag = "<proposed_plan>";
const closeTag = "</proposed_plan>";
/** A longer line cannot be a tag, so the buffer is bounded. */
const longestHeld = 200;

function mayBecomeTag(line: string): boolean {
  const word = line.trim();
  return line.length <= longestHeld && (openTag.startsWith(word) || closeTag.startsWith(word));
}

function piecesOf(text: string): PlanPiece[] {
  const splitter = new PlanSplitter();
  return [...splitter.push(text), ...splitter.end()];
}

/** Emits the text of a message in plan mode: plans as plan items, the rest as message deltas. */
export class PlanEvents {
  #task: Task;
  #items: ItemEvents;
  #splitter = new PlanSplitter();
  /** Text of the open plan. */
  #text: string | undefined;

  constructor(task: Task, items: ItemEvents) {
    this.#task = task;
    this.#items = items;
  }

  push(delta: string, itemId: string | undefined): void {
    this.#emitPieces(this.#splitter.push(delta), itemId);
  }

  /** The message is over, and its plan with it; returns the message without its plans. */
  end(text: string, itemId: string | undefined): string {
    this.#emitPieces(this.#splitter.end(), itemId);
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

  #emitPieces(pieces: ReturnType<PlanSplitter["push"]>, itemId: string | undefined): void {
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
