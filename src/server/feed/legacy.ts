import type { Era } from "../../compat/index.js";
import { type Notification, SharedNotification } from "../../jsonrpc/index.js";
import { type Lazy, lazy } from "../../lib/async.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { EraEvents } from "../era-shape.js";

/** Returns a text delta in its other form, which names its item. Older clients receive both. */
export function withItem(event: Event): Event | undefined {
  const msg = contentDelta(event);
  return msg === undefined ? undefined : { ...event, msg };
}

function contentDelta({ msg, part = 0, ...place }: Event): EventMsg | undefined {
  const { thread_id = "", turn_id = "", item_id = "" } = place;
  switch (msg.type) {
    case "agent_message_delta":
      return {
        type: "agent_message_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
      };
    case "agent_reasoning_delta":
      return {
        type: "reasoning_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
        summary_index: part,
      };
    case "agent_reasoning_raw_content_delta":
      return {
        type: "reasoning_raw_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
        content_index: part,
      };
    default:
      return undefined;
  }
}

/** Returns the summary of a patch as command output, which older clients receive before its end. */
export function patchOutput(event: Event): Event | undefined {
  const { msg } = event;
  if (msg.type !== "patch_apply_end" || !msg.success || msg.stdout === "") return undefined;
  const chunk = Buffer.from(msg.stdout).toString("base64");
  return {
    ...event,
    msg: { type: "exec_command_output_delta", call_id: msg.call_id, stream: "stdout", chunk },
  };
}

/** Converts events to `codex/event/…` notifications, once for all recipients. */
export class EventNotifications {
  #events: Lazy<EraEvents>;
  #event: Event | undefined;
  #notification: SharedNotification | undefined;

  constructor(era: Era) {
    this.#events = lazy(() => new EraEvents(era));
  }

  /** Returns the notification of an event; `undefined` if the era hides it. */
  of(event: Event, conversationId: string): SharedNotification | undefined {
    // A thread passes an event to all its listeners in a row, so caching the last one is enough.
    if (this.#event === event) return this.#notification;
    this.#event = event;
    this.#notification = this.#make(event, conversationId);
    return this.#notification;
  }

  #make(event: Event, conversationId: string): SharedNotification | undefined {
    const msg = this.#events().toShown(event);
    if (msg === undefined) return undefined;
    return new SharedNotification({
      method: `codex/event/${event.msg.type}`,
      params: { id: event.id, msg, conversationId },
    });
  }
}

/** Merges two deltas of one text, for a client that reads slowly; `undefined` if they differ. */
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
