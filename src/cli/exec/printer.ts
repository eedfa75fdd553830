import type { Writable } from "node:stream";
import type { ServerNotification } from "../../client/index.js";
import {
  type ThreadEvent,
  ThreadEventReader,
  type ThreadItem,
} from "../../client/thread-events/index.js";
import { type Era, type ExecJsonBehavior, execWireOf } from "../../compat/index.js";
import type { OpenedThread } from "./connect.js";

/** Prints the events of a run. */
export interface Printer {
  /** Called once the thread is open. */
  begin(thread: OpenedThread, prompt: string): void;
  notification(notification: ServerNotification): void;
  /** Prints a warning of the program itself: a declined approval, a limit. */
  warn(message: string): void;
  /** Called at the end of the run with the final message, if any. */
  end(lastMessage: string | undefined): void;
}

/** Prints a run as JSON Lines in the format of an era. */
export function jsonPrinter(
  { stdout, stderr }: { stdout: Writable; stderr: Writable },
  { name, execJson }: Era,
): Printer {
  const wire = execWireOf(name);
  const hiddenItemTypes = new Set(wire.absent.get("ThreadItem")?.variants);
  const reader = new ThreadEventReader({ ...execJson, hiddenItemTypes });
  const write = (event: ThreadEvent) => {
    const shown = wire.encode(event);
    if (shown !== undefined) stdout.write(`${JSON.stringify(toEraSpelling(shown, execJson))}\n`);
  };
  return {
    begin: ({ thread }) => write({ type: "thread.started", thread_id: thread.id }),
    notification(notification) {
      if (notification.method === "configWarning") {
        // Config warnings concern the user, not the reader of the events.
        const { summary, details } = notification.params;
        stderr.write(`warning: ${details ? `${summary} (${details})` : summary}\n`);
        return;
      }
      for (const event of reader.read(notification)) write(event);
    },
    warn(message) {
      for (const event of reader.warn(message)) write(event);
    },
    end() {},
  };
}

/** Converts what an era spells in another way. */
function toEraSpelling(event: ThreadEvent, behavior: ExecJsonBehavior): unknown {
  switch (event.type) {
    case "thread.started":
      return behavior.opening === "session.created"
        ? { type: "session.created", session_id: event.thread_id }
        : event;
    case "item.started":
    case "item.updated":
    case "item.completed":
      return { ...event, item: toEraItem(event.item, behavior) };
    default:
      return event;
  }
}

function toEraItem(item: ThreadItem, { itemTag, nullExitCode, messageType }: ExecJsonBehavior) {
  const { id, type, ...fields } = item;
  if ("exit_code" in fields && fields.exit_code === null && !nullExitCode) {
    const { exit_code: _, ...rest } = fields;
    return { id, [itemTag]: type, ...rest };
  }
  return { id, [itemTag]: type === "agent_message" ? messageType : type, ...fields };
}
