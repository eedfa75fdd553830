import type { EngineBehavior } from "../compat/index.js";
import type { Event, EventMsg, ResponseItem } from "../protocol/types.js";
import { isPersistedEvent, toPersistedEvent } from "../rollout/index.js";
import type { CurrentTask } from "./current-task.js";
import type { SessionParts } from "./parts.js";

/** What a session tells: the only way out of the engine, so that clients and the log see one order. */
export class SessionEvents {
  readonly #parts: Pick<SessionParts, "id" | "log" | "queues" | "era">;
  readonly #current: CurrentTask;
  readonly #warned = new Set<string>();
  #isAnnounced = false;
  /** What happened before the client knew the session. */
  #early: Pick<Event, "id" | "msg">[] = [];

  constructor(parts: Pick<SessionParts, "id" | "log" | "queues" | "era">, current: CurrentTask) {
    this.#parts = parts;
    this.#current = current;
  }

  /**
   * Tells something under the id of a submission.
   *
   * `itemId` names the item of the conversation that the event belongs to, `part` which part of it.
   */
  emit(submissionId: string, msg: EventMsg, itemId?: string, part?: number): void {
    const { id, log, queues, era } = this.#parts;
    const task = this.#current.running;
    if (isPersistedEvent(msg, era.engine)) {
      const payload = toLoggedEvent(msg, { task, itemId }, era.engine);
      log.append({ type: "event_msg", payload });
    }
    const event: Event = { id: submissionId, msg, thread_id: id };
    if (task?.id === submissionId) event.turn_id = task.turnId;
    if (itemId !== undefined) event.item_id = itemId;
    if (part !== undefined) event.part = part;
    queues.publish(event);
  }

  /** Answers a submission without a trace in the log: nothing has happened. */
  answer(submissionId: string, msg: EventMsg): void {
    this.#parts.queues.publish({ id: submissionId, msg, thread_id: this.#parts.id });
  }

  /** The same for what belongs to a turn that may be over; the log says to which. */
  emitIn(place: Pick<Event, "id" | "turn_id" | "item_id">, msg: EventMsg): void {
    const { id, log, queues, era } = this.#parts;
    if (isPersistedEvent(msg, era.engine)) {
      const { turn_id, item_id: itemId } = place;
      const logged = toLoggedEvent(msg, { task: this.#current.running, itemId }, era.engine);
      log.append({ type: "event_msg", payload: { ...logged, turn_id } as EventMsg });
    }
    queues.publish({ ...place, msg, thread_id: id });
  }

  /** Tells something once the client knows the session. */
  emitOnceAnnounced(submissionId: string, msg: EventMsg): void {
    if (this.#isAnnounced) this.emit(submissionId, msg);
    else this.#early.push({ id: submissionId, msg });
  }

  /** The client knows the session: what happened before that can be told now. */
  announce(): void {
    this.#isAnnounced = true;
    for (const { id, msg } of this.#early.splice(0)) this.emit(id, msg);
  }

  /** Tells the user something that is no error; the same thing is told once. */
  warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.emit(this.#current.running?.id ?? "", { type: "warning", message });
  }

  /** Tells an item of the conversation as it is; what stands in front is of nobody's submission. */
  emitRawItem(item: ResponseItem): void {
    const { id: _, ...bare } = item as ResponseItem & { id?: string };
    const sent = this.#parts.era.model.sendsIds ? item : (bare as ResponseItem);
    const id = this.#current.running?.id ?? "auto-compact-0";
    this.emitOnceAnnounced(id, { type: "raw_response_item", item: sent });
  }
}

/** Where an event belongs. */
interface EventPlace {
  task: { turnId: string; openResponseId: string | undefined } | undefined;
  itemId: string | undefined;
}

/** An event as the log keeps it: with its turn where the reference has it, and what is kept of it. */
function toLoggedEvent(
  msg: EventMsg,
  { task, itemId }: EventPlace,
  { recordsTasks, recordsCalls }: EngineBehavior,
): EventMsg {
  const isEdge = msg.type === "task_started" || msg.type === "task_complete";
  // What a step has cost is told at its end, so this line also says by which response it ended.
  if (msg.type === "token_count" && task?.openResponseId !== undefined) {
    return { ...msg, response_id: task.openResponseId } as EventMsg;
  }
  if (isEdge && task !== undefined && recordsTasks) return { ...msg, turn_id: task.turnId };
  if (!recordsCalls) return msg;
  const kept = toPersistedEvent(msg);
  // Others pass over a member that they do not know.
  return itemId === undefined ? kept : ({ ...kept, item_id: itemId } as EventMsg);
}
