import type { ExecJsonBehavior } from "../../compat/index.js";
import type { ThreadEvent, ThreadItem } from "./event.js";

/** Converts an event to the format of an era; `undefined` if the era has no such event. */
export function toEraEvent(event: ThreadEvent, behavior: ExecJsonBehavior): unknown {
  switch (event.type) {
    case "thread.started":
      return behavior.opening === "session.created"
        ? { type: "session.created", session_id: event.thread_id }
        : event;
    case "turn.started":
    case "turn.failed":
      return behavior.turnEvents ? event : undefined;
    case "turn.completed":
      if (!behavior.turnEvents) return undefined;
      return { ...event, usage: without(event.usage, behavior.lacks.usage) };
    case "item.started":
    case "item.updated":
    case "item.completed":
      return { ...event, item: toEraItem(event.item, behavior) };
    default:
      return event;
  }
}

function toEraItem(
  item: ThreadItem,
  { itemTag, lacks, nullExitCode, messageType }: ExecJsonBehavior,
) {
  const { id, type, ...rest } = item;
  const fields: Record<string, unknown> = without(rest, lacks[type]);
  if (fields.exit_code === null && !nullExitCode) delete fields.exit_code;
  return { id, [itemTag]: type === "agent_message" ? messageType : type, ...fields };
}

function without(record: object, fields: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}
