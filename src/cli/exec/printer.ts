import type { Writable } from "node:stream";
import type { ServerNotification } from "../../client/index.js";
import {
  type ThreadEvent,
  ThreadEventReader,
  toEraEvent,
} from "../../client/thread-events/index.js";
import type { ExecJsonBehavior } from "../../compat/index.js";
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
  behavior: ExecJsonBehavior,
): Printer {
  const reader = new ThreadEventReader(behavior);
  const write = (event: ThreadEvent) => {
    const shown = toEraEvent(event, behavior);
    if (shown !== undefined) stdout.write(`${JSON.stringify(shown)}\n`);
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
