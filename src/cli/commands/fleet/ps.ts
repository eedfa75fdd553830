import type { Broker, WorkerInfo } from "../../../fleet/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { columnLines } from "../../print.js";
import { brokerOptions, withBroker } from "./connect.js";

/** Lists the workers and the threads of a fleet. */
export const fleetPs = defineCommand({
  name: "fleet ps",
  summary: "List workers and threads",
  mostOperands: 0,
  options: { ...brokerOptions, json: { type: "boolean", help: "Print JSON" } },
  async run({ values }, io) {
    const fleet = await withBroker(values, io, readFleet);
    io.stdout.write(values.json ? `${JSON.stringify(fleet)}\n` : fleetText(fleet));
    return exitCodes.ok;
  },
});

interface FleetState {
  workers: WorkerInfo[];
  threads: ThreadRow[];
}

interface ThreadRow {
  threadId: string;
  /** The worker that has the thread loaded. */
  worker: string | null;
  epoch: number;
  state: "running" | "waiting" | "idle";
}

async function readFleet({ workers, leases, directory }: Broker): Promise<FleetState> {
  const [announced, held, entries] = await Promise.all([
    workers.list(),
    leases.list(),
    directory.list(),
  ]);
  const threads = new Map<string, ThreadRow>();
  for (const { threadId, epoch, state } of entries) {
    threads.set(threadId, { threadId, worker: null, epoch, state });
  }
  for (const { threadId, worker, epoch } of held) {
    const state = threads.get(threadId)?.state ?? "idle";
    threads.set(threadId, { threadId, worker, epoch, state });
  }
  const byId = [...threads.values()].sort((a, b) => (a.threadId < b.threadId ? -1 : 1));
  return { workers: announced.sort((a, b) => (a.name < b.name ? -1 : 1)), threads: byId };
}

function fleetText({ workers, threads }: FleetState): string {
  const workerRows = workers.map(({ name, pool, threads: count, draining }) => [
    name,
    pool,
    String(count),
    draining ? "draining" : "ready",
  ]);
  const threadRows = threads.map(({ threadId, worker, epoch, state }) => [
    threadId,
    worker ?? "-",
    String(epoch),
    state,
  ]);
  const lines = [
    ...columnLines([["WORKER", "POOL", "THREADS", "STATE"], ...workerRows]),
    "",
    ...columnLines([["THREAD", "WORKER", "EPOCH", "STATE"], ...threadRows]),
  ];
  return `${lines.join("\n")}\n`;
}
