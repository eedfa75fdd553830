import type { EngineBehavior } from "../compat/index.js";
import type { Event, EventMsg, ResponseItem } from "../protocol/types.js";
import { isPersistedEvent, toPersistedEvent } from "../rollout/index.js";
import type { CurrentTask, RunningTask } from "./current-task.js";
import type { SessionParts } from "./parts.js";

/** The only way out of the engine, so that clients and the log see events in the same order. */
export class SessionEvents {
  readonly #parts: Pick<SessionParts, "id" | "log" | "queues" | "era">;
  readonly #current: CurrentTask;
  readonly #warned = new Set<string>();
  #isAnnounced = false;
  /** Events from before `announce`. */
  #early: Pick<Event, "id" | "msg">[] = [];
  #actions: (() => void)[] = [];

  constructor(parts: Pick<SessionParts, "id" | "log" | "queues" | "era">, current: CurrentTask) {
    this.#parts = parts;
    this.#current = current;
  }

  /**
   * Logs and publishes an event under the id of a submission.
   *
   * `itemId` is the item the event belongs to, `part` the index of the part.
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

  /** The same for an event of a turn that may have ended; its turn id is logged. */
  emitIn(place: Pick<Event, "id" | "turn_id" | "item_id">, msg: EventMsg): void {
    const { id, log, queues, era } = this.#parts;
    if (isPersistedEvent(msg, era.engine)) {
      const { turn_id, item_id: itemId } = place;
      const logged = toLoggedEvent(msg, { task: this.#current.running, itemId }, era.engine);
      log.append({ type: "event_msg", payload: { ...logged, turn_id } as EventMsg });
    }
    queues.publish({ ...place, msg, thread_id: id });
  }

  /** Emits an event once the client knows the session. */
  emitOnceAnnounced(submissionId: string, msg: EventMsg): void {
    if (this.#isAnnounced) this.emit(submissionId, msg);
    else this.#early.push({ id: submissionId, msg });
  }

  /** Runs an action when the client knows the session, after the events held back until then. */
  onceAnnounced(action: () => void): void {
    if (this.#isAnnounced) action();
    else this.#actions.push(action);
  }

  /** Called after `session_configured`: emits the events held back until then. */
  announce(): void {
    this.#isAnnounced = true;
    for (const { id, msg } of this.#early.splice(0)) this.emit(id, msg);
    for (const action of this.#actions.splice(0)) action();
  }

  /** Emits a warning, once per message. */
  warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.emit(this.#current.running?.id ?? "", { type: "warning", message });
  }

  /** Emits the raw response item. Items added before any submission use a synthetic id. */
  emitRawItem(item: ResponseItem): void {
    const { id: _, ...bare } = item as ResponseItem & { id?: string };
    const hasId = this.#parts.era.model.requestForm === "2026-11";
    const sent = hasId ? item : (bare as ResponseItem);
    const id = this.#current.running?.id ?? "auto-compact-0";
    this.emitOnceAnnounced(id, { type: "raw_response_item", item: sent });
  }
}

/** The task and item of an event. */
interface EventPlace {
  task: Pick<RunningTask, "turnId" | "openResponseId" | "failure"> | undefined;
  itemId: string | undefined;
}

/** Returns an event as logged: with its turn and item ids, as far as the era logs them. */
function toLoggedEvent(
  msg: EventMsg,
  { task, itemId }: EventPlace,
  { recordsTasks, recordsCalls }: EngineBehavior,
): EventMsg {
  const isEdge = msg.type === "task_started" || msg.type === "task_complete";
  // Token usage is reported at the end of a step, so this line also has the id of its response.
  if (msg.type === "token_count" && task?.openResponseId !== undefined) {
    return { ...msg, response_id: task.openResponseId } as EventMsg;
  }
  if (isEdge && task !== undefined && recordsTasks) {
    const { turnId: turn_id, failure: error } = task;
    const isFailed = recordsCalls && msg.type === "task_complete" && error !== undefined;
    return { ...msg, turn_id, ...(isFailed ? { error } : {}) };
  }
  if (!recordsCalls) return msg;
  const kept = toPersistedEvent(msg);
  // Others pass over a member that they do not know.
  return itemId === undefined ? kept : ({ ...kept, item_id: itemId } as EventMsg);
}
