import type { Writable } from "node:stream";
import type { ServerNotification } from "../../client/index.js";
import {
  type ThreadEvent,
  ThreadEventReader,
  toEraEvent,
} from "../../client/thread-events/index.js";
import type { ExecJsonBehavior } from "../../compat/index.js";
import type { OpenedThread } from "./connect.js";

/** Who tells what happens in a run. */
export interface Printer {
  /** The thread is there; this is what it is asked. */
  begin(thread: OpenedThread, prompt: string): void;
  hear(notification: ServerNotification): void;
  /** Something that only we know: an approval declined, a limit reached. */
  warn(message: string): void;
  /** The run is over; the message that it was for, if there is one. */
  end(lastMessage: string | undefined): void;
}

/** Tells a run as JSON, an event a line, in the form of a version. */
export function jsonPrinter(
  { stdout, stderr }: { stdout: Writable; stderr: Writable },
  dialect: ExecJsonBehavior,
): Printer {
  const reader = new ThreadEventReader(dialect);
  const write = (event: ThreadEvent) => {
    const told = toEraEvent(event, dialect);
    if (told !== undefined) stdout.write(`${JSON.stringify(told)}\n`);
  };
  return {
    begin: ({ thread }) => write({ type: "thread.started", thread_id: thread.id }),
    hear(notification) {
      if (notification.method === "configWarning") {
        // Settings concern who has written them: readers of the events have no use for them.
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
