import type { EventBehavior } from "../../compat/index.js";
import { type Notification, SharedNotification } from "../../jsonrpc/index.js";
import type { Event } from "../../protocol/types.js";
import { isToldIn, toEraEvent } from "../era-shape.js";

/** Turns events into `codex/event/…` notifications, once for all who are told. */
export class EventNotifications {
  #behavior: EventBehavior;
  #event: Event | undefined;
  #notification: SharedNotification | undefined;

  constructor(behavior: EventBehavior) {
    this.#behavior = behavior;
  }

  /** The notification of an event; nothing when clients of the era did not see it. */
  of(event: Event, conversationId: string): SharedNotification | undefined {
    // A thread hands an event to all its listeners in a row, so the last one is enough.
    if (this.#event === event) return this.#notification;
    this.#event = event;
    this.#notification = this.#make(event, conversationId);
    return this.#notification;
  }

  #make(event: Event, conversationId: string): SharedNotification | undefined {
    const { id, msg } = event;
    if (!isToldIn(msg, this.#behavior)) return undefined;
    return new SharedNotification({
      method: `codex/event/${msg.type}`,
      params: { id, msg: toEraEvent(event, this.#behavior), conversationId },
    });
  }
}

/** Puts two pieces of one text together for a client that reads slowly. */
export function mergeDeltas(previous: Notification, next: Notification): Notification | undefined {
  if (previous.method !== next.method || !textDeltas.has(next.method)) return undefined;
  const [first, second] = [previous.params, next.params] as [DeltaParams, DeltaParams];
  if (first.id !== second.id || first.conversationId !== second.conversationId) return undefined;
  const delta = first.msg.delta + second.msg.delta;
  return { method: next.method, params: { ...second, msg: { ...second.msg, delta } } };
}

interface DeltaParams {
  id: string;
  msg: { delta: string };
  conversationId: string;
}

const textDeltas: ReadonlySet<string> = new Set([
  "codex/event/agent_message_delta",
  "codex/event/agent_reasoning_delta",
  "codex/event/agent_reasoning_raw_content_delta",
]);
