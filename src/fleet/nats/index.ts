import { CodexError } from "../../protocol/error.js";
import { parseEvent } from "../../protocol/read/index.js";
import type { Event } from "../../protocol/types.js";
import type { Broker, BrokerFacts, Live } from "../broker.js";
import { type BrokerOptions, serversOf, withoutIdentity } from "../connection-options.js";
import { createLeases } from "../leases.js";
import { monotonicClock } from "../monotonic-clock.js";
import { createAnswers } from "./answers.js";
import { createBlobs } from "./blobs.js";
import { Chain } from "./chain.js";
import { Connection } from "./connection.js";
import { toConnectionOptions } from "./identity.js";
import { createLog } from "./log.js";
import { Quarantine } from "./quarantine.js";
import { requireTls } from "./require-tls.js";
import { ensureStreams } from "./streams.js";
import { type StreamKind, Subjects, streamKinds } from "./subjects.js";
import { createSubmissions } from "./submissions.js";
import { createDirectory, createLeaseTable, createMarks, createWorkers } from "./tables.js";
import { Values } from "./values.js";
import { createWakes } from "./wakes.js";

/** Connects to the broker on a NATS server with JetStream, and creates what is missing there. */
export async function openNats(url: string, options: BrokerOptions): Promise<Broker> {
  const { tenant = "default", replicas = 1, waitMs = 5_000, onWarning = () => {} } = options;
  const address = withoutIdentity(url);
  if (url.startsWith("tls:")) await Promise.all(serversOf(address).map(requireTls));
  const connection = await Connection.open(address, {
    ...toConnectionOptions(url, options),
    inboxPrefix: `_INBOX.${tenant}`,
    name: `quire (${tenant})`,
    waitMs,
  });
  const subjects = new Subjects(tenant);
  connection.repair = () => ensureStreams(connection, { subjects, replicas });
  try {
    await connection.repair();
  } catch (error) {
    const facts = await connection.ask("$JS.API.INFO", "", 2_000).catch(() => null);
    await connection.close();
    throw facts === undefined ? withoutJetStream(address, error) : error;
  }
  const blobs = createBlobs(connection, subjects);
  const values = new Values(blobs);
  const quarantine = new Quarantine(connection, subjects, onWarning);
  const tables = { connection, subjects, values, quarantine };
  const chainOf = (kind: StreamKind) => ({
    ...tables,
    chain: new Chain(connection, subjects, kind),
  });
  return {
    log: createLog(chainOf("log")),
    submissions: createSubmissions(chainOf("sub")),
    wakes: createWakes(tables),
    leases: createLeases(createLeaseTable(tables), monotonicClock),
    live: createLive(connection, subjects),
    answers: createAnswers(chainOf("answer")),
    directory: createDirectory(tables),
    marks: createMarks(tables),
    forget: (threadId) => forget(connection, subjects, threadId),
    workers: createWorkers(tables),
    blobs,
    inspect: () => inspect(connection, subjects),
    close: () => connection.close(),
  };
}

function withoutJetStream(address: string, cause: unknown): CodexError {
  const message = `The broker at ${address} runs without JetStream; start it with \`nats-server -js\``;
  return new CodexError("connection", message, { cause });
}

/** Removes the messages of a thread from all streams. */
async function forget(connection: Connection, subjects: Subjects, threadId: string): Promise<void> {
  const filters: [StreamKind, string][] = [
    ["blob", subjects.all("blob", threadId)],
    ["wake", subjects.wakesOf(threadId)],
    ...(["log", "sub", "answer", "thread"] as const).map((kind): [StreamKind, string] => [
      kind,
      subjects.of(kind, threadId),
    ]),
  ];
  for (const [kind, filter] of filters) {
    await connection.api(`STREAM.PURGE.${subjects.stream(kind)}`, { filter });
  }
}

async function inspect(connection: Connection, subjects: Subjects): Promise<BrokerFacts> {
  const beforeMs = performance.now();
  await connection.flush();
  const roundTripMs = performance.now() - beforeMs;
  const stores = await Promise.all(
    streamKinds.map(async (kind) => {
      const name = subjects.stream(kind);
      const { state } = await connection.api<StreamInfo>(`STREAM.INFO.${name}`, {});
      return { name, messages: state.messages, bytes: state.bytes };
    }),
  );
  const skipped = stores.find(({ name }) => name === subjects.stream("bad"))?.messages ?? 0;
  return { server: `nats-server ${connection.version}`, roundTripMs, stores, skipped };
}

interface StreamInfo {
  state: { messages: number; bytes: number };
}

function createLive(connection: Connection, subjects: Subjects): Live {
  return {
    publish(threadId, event) {
      const json = JSON.stringify(event);
      // Deltas are small; what does not fit into a message would close the connection.
      if (
        json.length * 3 < connection.maxPayload ||
        Buffer.byteLength(json) < connection.maxPayload
      ) {
        connection.publishSoon(subjects.of("live", threadId), json);
      }
    },
    subscribe(threadId, onEvent) {
      const subscription = connection.subscribe(subjects.of("live", threadId), (message) => {
        let event: Event;
        try {
          event = parseEvent(message.json());
        } catch {
          return; // not an event
        }
        onEvent(event);
      });
      return () => subscription.unsubscribe();
    },
  };
}
