import type { Msg } from "@nats-io/transport-node";
import { UnreachableError } from "../broker.js";
import type { Connection } from "./connection.js";
import { headersOf, type StoredMessage } from "./messages.js";

/** End of a pull: the batch is complete, nothing came in time, or the consumer or the connection is lost. */
export type PullEnd = "full" | "empty" | "lost";

/** A consumer of a stream that is asked for messages. */
export interface PullConsumer {
  /** Number of messages that wait for it, at its creation. */
  pending: number;
  /** Position of the last message that it has delivered, at its creation. */
  delivered: number;
  /**
   * Asks for up to `batch` messages and calls back for each; ends early when the signal aborts. Without `expiresMs` it
   * ends after the last message that is there.
   */
  pull(
    request: { batch: number; expiresMs?: number },
    onMessage: (message: PulledMessage) => void,
    signal: AbortSignal,
  ): Promise<PullEnd>;
}

export interface PulledMessage extends StoredMessage {
  /** Subject that takes the acknowledgement. */
  ack: string;
  /** Number of messages after it. */
  pending: number;
}

/** Creates a consumer; one with a `durable_name` is shared by all processes that create it. */
export async function createConsumer(
  connection: Connection,
  stream: string,
  config: { durable_name?: string } & Record<string, unknown>,
): Promise<PullConsumer> {
  const durable = config.durable_name;
  const path = durable === undefined ? `CREATE.${stream}` : `DURABLE.CREATE.${stream}.${durable}`;
  const { name, num_pending, delivered } = await connection.api<ConsumerInfo>(`CONSUMER.${path}`, {
    stream_name: stream,
    config: { ...(durable === undefined ? temporary : {}), ...config },
  });
  return {
    pending: num_pending,
    delivered: delivered.stream_seq,
    pull: (request, onMessage, signal) =>
      pull({ connection, path: `${stream}.${name}`, ...request }, onMessage, signal),
  };
}

interface ConsumerInfo {
  name: string;
  num_pending: number;
  delivered: { stream_seq: number };
}

const temporary = {
  ack_policy: "none",
  max_deliver: 1,
  replay_policy: "instant",
  mem_storage: true,
  num_replicas: 1,
  inactive_threshold: 10 * 1e9,
};

interface Pull {
  connection: Connection;
  path: string;
  batch: number;
  expiresMs?: number;
}

function pull(
  { connection, path, batch, expiresMs }: Pull,
  onMessage: (message: PulledMessage) => void,
  signal: AbortSignal,
): Promise<PullEnd> {
  return new Promise((resolve) => {
    const inbox = connection.createInbox();
    let count = 0;
    const end = (how: PullEnd) => {
      subscription.unsubscribe();
      clearTimeout(timer);
      cancel();
      resolve(how);
    };
    const subscription = connection.subscribe(inbox, (message) => {
      const code = message.headers?.code ?? 0;
      // 100: heartbeat; 404 and 408: nothing came; 409 and 503: the consumer is gone.
      if (code === 100) return;
      if (code !== 0) return end(code === 404 || code === 408 ? "empty" : "lost");
      const stored = toStored(message);
      onMessage(stored);
      const isLast = expiresMs === undefined && stored.pending === 0;
      if (++count === batch || isLast) end(isLast ? "empty" : "full");
    });
    // The server ends the request; this is for one that has forgotten it.
    const timer = setTimeout(() => end("lost"), (expiresMs ?? scanMs) + 1_000);
    let cancel = () => {};
    cancel = connection.returned.once(
      () => end(signal.aborted ? "empty" : "lost"),
      [signal, connection.closed],
    );
    const request = { batch, expires: (expiresMs ?? scanMs) * 1e6 };
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${path}`, JSON.stringify(request), inbox);
  });
}

function toStored(message: Msg): PulledMessage {
  const headers = headersOf(message);
  const ack = message.reply ?? "";
  // `$JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERED.POSITION.COUNT.TIME.PENDING[.…]`
  const tokens = ack.split(".");
  const at = tokens.length === 9 ? 5 : 7;
  const [position, pending] = [Number(tokens[at]), Number(tokens[at + 3])];
  return { subject: message.subject, position, headers, data: message.data, ack, pending };
}

/** Messages to read. */
export interface ScanOptions {
  filter: string;
  /** Reads those after a position; else the last one of each subject. */
  after?: number;
  /** Leaves the bodies away. */
  headersOnly?: boolean;
}

/** Reads all messages that a filter selects: those after a position, or the last one of each subject. */
export async function scan(
  connection: Connection,
  stream: string,
  { filter, after, headersOnly = false }: ScanOptions,
): Promise<StoredMessage[]> {
  const from =
    after === undefined
      ? { deliver_policy: "last_per_subject" }
      : { deliver_policy: "by_start_sequence", opt_start_seq: after + 1 };
  for (let attempt = 0; attempt < 3; attempt++) {
    const consumer = await createConsumer(connection, stream, {
      filter_subject: filter,
      ...(headersOnly ? { headers_only: true } : {}),
      ...from,
    });
    const found: StoredMessage[] = [];
    let { pending } = consumer;
    const add = (message: PulledMessage) => {
      found.push(message);
      pending = message.pending;
    };
    let how: PullEnd = "full";
    while (pending > 0 && how === "full") {
      const before = found.length;
      how = await consumer.pull({ batch: 500 }, add, connection.closed);
      // A message that is replaced meanwhile does not come any more.
      if (how === "empty" && found.length > before) how = "full";
    }
    if (how !== "lost") return found;
  }
  throw new UnreachableError(`The broker at ${connection.address} did not deliver ${stream}`);
}

/** Longest pause between two messages of a scan. */
const scanMs = 300;
