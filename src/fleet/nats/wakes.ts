import { isUuid } from "../../rollout/index.js";
import { UnreachableError, type Wakes, type WakeUp } from "../broker.js";
import { ApiError, type Connection } from "./connection.js";
import { createConsumer, type PullConsumer, type PulledMessage } from "./consumer.js";
import { nameOf, toToken } from "./subjects.js";
import type { TableParts } from "./tables.js";

/** Wake-ups as a work queue: one message a thread, which goes to one worker of the pool. */
export function createWakes({
  connection,
  subjects,
  quarantine,
}: Omit<TableParts, "values">): Wakes {
  const consumers = new Map<string, Promise<PullConsumer>>();

  const create = (pool: string): Promise<PullConsumer> =>
    createConsumer(connection, subjects.stream("wake"), {
      durable_name: toToken(pool).replace("=", "_"),
      filter_subject: subjects.all("wake", pool),
      deliver_policy: "all",
      ack_policy: "explicit",
      // A wake-up comes again if its worker does nothing with it for so long.
      ack_wait: 2 * 1e9,
      max_deliver: -1,
      max_ack_pending: 20_000,
      replay_policy: "instant",
    });

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
          if (how === "lost") consumers.delete(pool);
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

    // A consumer that exists is described again.
    pending: async (pool) => (await create(pool)).pending,
  };
}

/** Pause after a refusal of the server. */
const retryMs = 200;

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
