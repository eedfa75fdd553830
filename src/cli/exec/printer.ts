import type { ServerNotification } from "../../client/index.js";
import type { OpenedThread } from "./open-thread.js";

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
