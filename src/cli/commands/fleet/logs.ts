import type { Broker, LogBatch } from "../../../fleet/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { Event } from "../../../protocol/types.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";
import { brokerOptions, withBroker } from "./connect.js";

/** Prints the events of a thread's log. */
export const fleetLogs = defineCommand({
  name: "fleet logs",
  summary: "Print the durable events of a thread",
  operands: "THREAD",
  mostOperands: 1,
  options: {
    ...brokerOptions,
    json: { type: "boolean", help: "Print each event as a line of JSON" },
    follow: { type: "boolean", short: "f", help: "Print later events until interrupted" },
  },
  async run({ values, positionals: [threadId] }, io) {
    if (threadId === undefined) throw new UsageError("Expected THREAD, the id of a thread");
    await withBroker(values, io, async (broker) => {
      const { log } = broker;
      if ((await log.head(threadId)) === 0) await assertExists(broker, threadId);
      const batches = values.follow ? log.follow(threadId, 0, io.signal) : log.read(threadId, 0);
      const format = values.json ? JSON.stringify : lineText;
      for await (const batch of batches) {
        for (const row of rowsOf(batch)) io.stdout.write(`${format(row)}\n`);
      }
    });
    return exitCodes.ok;
  },
});

interface EventRow {
  seq: number;
  epoch: number;
  worker: string;
  event: Event;
}

function rowsOf({ epoch, worker, entries }: LogBatch): EventRow[] {
  return entries.flatMap((entry) =>
    "event" in entry ? [{ seq: entry.seq, epoch, worker, event: entry.event }] : [],
  );
}

function lineText({ seq, epoch, worker, event }: EventRow): string {
  const { type, ...rest } = event.msg;
  const details = visible(JSON.stringify(rest)).slice(0, 160);
  return [String(seq).padStart(6), `${worker}/${epoch}`, type, details].join("  ");
}

/** Throws if a thread has neither a log nor submissions. */
async function assertExists({ submissions }: Broker, threadId: string): Promise<void> {
  if ((await submissions.head(threadId)) > 0) return;
  throw new CodexError(
    "thread_not_found",
    `The fleet has no thread ${threadId}; \`quire fleet ps\` lists its threads`,
  );
}
