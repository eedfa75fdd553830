import { once } from "node:events";
import type { Writable } from "node:stream";
import {
  createQueues,
  type EngineParts,
  type LocalParts,
  type LocalTelemetry,
  type QueuePair,
  runCodex,
} from "../../engine/index.js";
import type { Queue } from "../../lib/async.js";
import { programName } from "../../lib/program-name.js";
import { CodexError } from "../../protocol/error.js";
import { parseSubmission } from "../../protocol/read/submission.js";
import type { Event, EventMsg, Submission } from "../../protocol/types.js";
import { type Channel, listen, Malformed } from "../../transport/index.js";
import type { Access } from "../serve.js";
import { EventWriter } from "./event-writer.js";

/** Options for serving the queues. */
export interface ServeQueuesOptions {
  /** Parts of the engine, such as `createLocalParts` returns. */
  parts: EngineParts;
  /** Runs the engine of the client; the default is one in this process. */
  run?(queues: QueuePair, parts: EngineParts): Promise<void>;
  /** Configures the session from the settings before the first submission; the default is true. */
  startSession?: boolean;
  /** `all` adds content deltas and items; `standard` is the default. */
  events?: "standard" | "all";
  /** Shuts the engine down. */
  signal?: AbortSignal;
  /**
   * Meaning of the end of input. `the client left` (default) ends the session. `nothing more to
   * ask` lets the last task finish, unless one of its commands is running: a client that wants its
   * outcome would have stayed.
   */
  endOfInput?: "the client left" | "nothing more to ask";
}

/**
 * Serves an engine over a channel: submissions in, events out. Resolves when the engine has ended.
 */
export async function serveQueues(channel: Channel, options: ServeQueuesOptions): Promise<void> {
  const { parts, startSession = true, events: eventSet = "standard", signal } = options;
  const { endOfInput = "the client left", run = runCodex } = options;
  const { submissions, events, ...queues } = createQueues({
    room: () => (events.size > maxPending ? events.whenBelow(maxPending / 2) : undefined),
  });
  if (startSession) submissions.push({ id: "", op: { type: "configure_session" } });
  const stop = () => submissions.push({ id: "", op: { type: "shutdown" } });
  signal?.addEventListener("abort", stop, { once: true });

  const commands = new RunningCommands();
  const writing = writeEvents(events, channel, {
    writer: new EventWriter({ events: eventSet, era: parts.era }),
    commands,
  });
  void readSubmissions(channel, submissions, (event) => events.push(event)).then(() => {
    if (endOfInput === "the client left" || commands.isAny) stop();
    submissions.close();
  });
  await run({ submissions, ...queues }, parts);
  await writing;
  await channel.close();
  signal?.removeEventListener("abort", stop);
}

/** Limit of unsent events, deltas included, after which the engine waits for the client. */
const maxPending = 512;

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
}

function read(message: unknown): Submission {
  if (!(message instanceof Malformed)) return parseSubmission(message);
  throw new CodexError("invalid_request", message.reason, { data: { id: message.id ?? "" } });
}

async function writeEvents(
  events: AsyncIterable<Event>,
  channel: Channel,
  { writer, commands }: { writer: EventWriter; commands: RunningCommands },
): Promise<void> {
  for await (const event of events) {
    commands.note(event.msg);
    let hasRoom = true;
    writer.write(event, (message) => {
      hasRoom = channel.send(message);
    });
    if (!hasRoom) await channel.drained();
  }
}

/** Tracks from the events if a command is running. */
class RunningCommands {
  readonly #calls = new Set<string>();

  get isAny(): boolean {
    return this.#calls.size > 0;
  }

  note(msg: EventMsg): void {
    if (msg.type === "exec_command_begin") this.#calls.add(msg.call_id);
    else if (msg.type === "exec_command_end") this.#calls.delete(msg.call_id);
    else if (msg.type === "turn_aborted" || msg.type === "task_complete") this.#calls.clear();
  }
}

/** Options for serving the queues at an address. */
export interface ListenQueuesOptions extends Omit<ServeQueuesOptions, "parts" | "endOfInput"> {
  url: string;
  /** Ends the server. */
  signal: AbortSignal;
  /** Creates the parts of one engine. */
  createParts(): LocalParts;
  /** Telemetry that these engines share. */
  telemetry: LocalTelemetry;
  /** Access control of the listener. */
  access: Access;
  stderr: Writable;
}

/**
 * Serves the queues at an address until `signal` aborts, over IPC until the client disconnects.
 * Each client has a separate engine.
 */
export async function listenQueues(options: ListenQueuesOptions): Promise<void> {
  const { url, createParts, telemetry, access, stderr, ...queues } = options;
  const { signal } = queues;
  const serving = new Set<Promise<void>>();
  const onConnection = (channel: Channel) => {
    const parts = createParts();
    const one = serveQueues(channel, { ...queues, parts, endOfInput: "the client left" })
      // An error of one client must not end the others.
      .catch(
        (error: unknown) => void stderr.write(`${programName()}: a client was lost: ${error}\n`),
      )
      .then(() => parts.close());
    serving.add(one);
    void one.finally(() => serving.delete(one));
  };
  // The signal ends the engines; their last events are sent before the listener closes.
  const listener = await listen(url, {
    ...access,
    onConnection,
    isReady: () => !signal.aborted,
    async metrics() {
      const { serverMetrics } = await import("../../telemetry/process-metrics.js");
      return serverMetrics(telemetry, serving.size);
    },
  });
  const aborted = signal.aborted ? Promise.resolve() : once(signal, "abort");
  if (url.startsWith("ipc:")) {
    await Promise.race([aborted, ...serving]);
  } else {
    stderr.write(`${programName()}: listening on ${listener.url}\n`);
    await aborted;
  }
  await Promise.all(serving);
  await listener.close();
  await telemetry.close();
}
