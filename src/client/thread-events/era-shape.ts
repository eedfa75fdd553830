import type { ExecJsonBehavior } from "../../compat/index.js";
import type { ThreadEvent } from "./event.js";
import type { ThreadItem } from "./item.js";

/** An event as `exec --json` of a version wrote it; undefined when it had none like it. */
export function toEraEvent(event: ThreadEvent, dialect: ExecJsonBehavior): unknown {
  switch (event.type) {
    case "thread.started":
      return dialect.opening === "session.created"
        ? { type: "session.created", session_id: event.thread_id }
        : event;
    case "turn.started":
    case "turn.failed":
      return dialect.turns ? event : undefined;
    case "turn.completed":
      if (!dialect.turns) return undefined;
      return { ...event, usage: without(event.usage, dialect.lacks.usage) };
    case "item.started":
    case "item.updated":
    case "item.completed":
      return { ...event, item: toEraItem(event.item, dialect) };
    default:
      return event;
  }
}

function toEraItem(item: ThreadItem, { itemTag, lacks, writesNoExit, message }: ExecJsonBehavior) {
  const { id, type, ...rest } = item;
  const fields: Record<string, unknown> = without(rest, lacks[type]);
  if (fields.exit_code === null && !writesNoExit) delete fields.exit_code;
  return { id, [itemTag]: type === "agent_message" ? message : type, ...fields };
}

function without(record: object, fields: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}
