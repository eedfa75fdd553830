import { createQueues, type EngineParts, runCodex } from "../../engine/index.js";
import type { Queue } from "../../lib/queue.js";
import type { Era } from "../../protocol/era.js";
import { CodexError } from "../../protocol/error.js";
import { parseSubmission } from "../../protocol/read/submission.js";
import type { Event, Submission } from "../../protocol/types.js";
import { type Channel, Malformed } from "../../transport/index.js";
import { EventWriter } from "./event-writer.js";

/** How the queues are served. */
export interface ServeQueuesOptions {
  parts: EngineParts;
  /** Makes the session from the config before the client says anything. */
  startSession: boolean;
  /** `all` adds the content deltas and items to the events that say the same in other words. */
  events: "standard" | "all";
  era: Era;
  signal: AbortSignal;
}

/** Puts an engine behind a channel: submissions in, events out. Resolves when the engine has ended. */
export async function serveQueues(channel: Channel, options: ServeQueuesOptions): Promise<void> {
  const { submissions, events, ...queues } = createQueues();
  if (options.startSession) submissions.push({ id: "", op: { type: "configure_session" } });
  const stop = () => submissions.push({ id: "", op: { type: "shutdown" } });
  options.signal.addEventListener("abort", stop, { once: true });

  const writing = writeEvents(events, channel, new EventWriter(options));
  void readSubmissions(channel, submissions, (event) => events.push(event));
  await runCodex({ submissions, ...queues }, options.parts);
  await writing;
  await channel.close();
  options.signal.removeEventListener("abort", stop);
}

async function readSubmissions(
  channel: Channel,
  submissions: Queue<Submission>,
  answer: (event: Event) => void,
): Promise<void> {
  for await (const message of channel.incoming) {
    try {
      submissions.push(read(message));
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      const id = typeof error.data?.id === "string" ? error.data.id : "";
      answer({ id, msg: { type: "error", message: error.message } });
    }
  }
  submissions.close();
}

function read(message: unknown): Submission {
  if (!(message instanceof Malformed)) return parseSubmission(message);
  throw new CodexError("invalid_request", message.reason, { data: { id: message.id ?? "" } });
}

async function writeEvents(
  events: AsyncIterable<Event>,
  channel: Channel,
  writer: EventWriter,
): Promise<void> {
  for await (const event of events) {
    let hasRoom = true;
    writer.write(event, (message) => {
      hasRoom = channel.send(message);
    });
    if (!hasRoom) await channel.drained();
  }
}
