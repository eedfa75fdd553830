import { isUuid } from "../../rollout/index.js";
import { UnreachableError, type Wakes, type WakeUp } from "../broker.js";
import { ApiError, type Connection } from "./connection.js";
import { createConsumer, type PullConsumer, type PulledMessage } from "./consumer.js";
import { readMessage } from "./messages.js";
import { nameOf, toToken } from "./subjects.js";
import type { TableParts } from "./tables.js";

/** Wake-ups as a work queue: one message a thread, which goes to one worker of the pool. */
export function createWakes({
  connection,
  subjects,
  quarantine,
}: Omit<TableParts, "values">): Wakes {
  const consumers = new Map<string, Promise<PullConsumer>>();
  const stream = subjects.stream("wake");
  /** The first wake-up of a pool that was delivered and is not done, and when it was first seen. */
  const waiting = new Map<string, { position: number; sinceMs: number }>();

  /** Creates the consumer of a pool, or describes the one that is there. */
  const describe = (pool: string): Promise<PullConsumer> =>
    createConsumer(connection, stream, {
      durable_name: durableOf(pool),
      filter_subject: subjects.all("wake", pool),
      deliver_policy: "all",
      ack_policy: "explicit",
      ack_wait: ackWaitMs * 1e6,
      max_deliver: -1,
      max_ack_pending: 20_000,
      replay_policy: "instant",
    });

  /** Does the same, and replaces a consumer that would never deliver what waits. */
  const create = async (pool: string): Promise<PullConsumer> => {
    const consumer = await describe(pool);
    if (!(await isAhead(pool, consumer))) return consumer;
    await connection.api(`CONSUMER.DELETE.${stream}.${durableOf(pool)}`, {});
    return describe(pool);
  };

  /**
   * Returns true if a consumer is ahead of its stream.
   *
   * A server that is killed while no wake-up waits may count from 1 again, but its consumers go on from where they were:
   * they pass over each wake-up with a lower number.
   */
  const isAhead = async (pool: string, { delivered }: PullConsumer): Promise<boolean> => {
    const { state } = await connection.api<StreamInfo>(`STREAM.INFO.${stream}`, {});
    if (state.last_seq < delivered) return true;
    const wanted = { seq: 1, next_by_subj: subjects.all("wake", pool) };
    const first = (await readMessage(connection, stream, wanted))?.position;
    const before = waiting.get(pool);
    if (first === undefined || first > delivered) waiting.delete(pool);
    else if (before?.position !== first) {
      waiting.set(pool, { position: first, sinceMs: performance.now() });
    } else if (performance.now() - before.sinceMs >= passedOverMs) {
      waiting.delete(pool);
      return true;
    }
    return false;
  };

  const consumerOf = (pool: string): Promise<PullConsumer> => {
    const known = consumers.get(pool);
    if (known !== undefined) return known;
    const created = create(pool);
    consumers.set(pool, created);
    created.catch(() => consumers.delete(pool));
    return created;
  };

  return {
    async wake(pool, threadId) {
      await connection.store(subjects.of("wake", pool, threadId), "", {});
    },

    async next(pool, signal) {
      const ends = [signal, connection.closed];
      while (!ends.some(({ aborted }) => aborted)) {
        let taken: PulledMessage | undefined;
        const take = (message: PulledMessage) => {
          taken = message;
        };
        try {
          const consumer = await consumerOf(pool);
          const how = await consumer.pull({ batch: 1, expiresMs: 5_000 }, take, signal);
          // One that has brought nothing is looked at again.
          if (how !== "full") consumers.delete(pool);
        } catch (error) {
          if (!(error instanceof UnreachableError || error instanceof ApiError)) throw error;
          await connection.returned.next(ends, retryMs);
        }
        if (taken !== undefined) {
          const wakeUp = toWakeUp(connection, taken);
          if (isUuid(wakeUp.threadId)) return wakeUp;
          quarantine.add("wake", taken, "The subject does not name a thread");
          await wakeUp.done().catch(() => {}); // it comes again
          continue;
        }
        if (!connection.isUp) await connection.returned.next(ends);
      }
      return undefined;
    },

    pending: async (pool) => (await describe(pool)).pending,
  };
}

interface StreamInfo {
  state: { last_seq: number };
}

/** Pause after a refusal of the server. */
const retryMs = 200;
/** A wake-up comes again if its worker does nothing with it for so long. */
const ackWaitMs = 2_000;
/** One that has not come again after so long, while somebody asks for it, is passed over. */
const passedOverMs = 2 * ackWaitMs;

function durableOf(pool: string): string {
  return toToken(pool).replace("=", "_");
}

function toWakeUp(connection: Connection, { subject, ack }: PulledMessage): WakeUp {
  const acknowledge = async (text: string) => {
    // The server confirms it. Without a confirmation the wake-up comes again, which does no harm.
    await connection.ask(ack, text, 2_000);
  };
  return {
    threadId: nameOf(subject),
    done: () => acknowledge("+ACK"),
    later: (ms) => acknowledge(`-NAK {"delay": ${Math.round(ms * 1e6)}}`),
  };
}
