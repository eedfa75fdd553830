import type { Broker, BrokerFacts, LeaseRecord, WorkerInfo } from "../../../fleet/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { bytesText, columnLines, counted } from "../../print.js";
import { brokerOptions, withBroker } from "./connect.js";

/** Checks the broker of a fleet, and that every thread has a worker that can run it. */
export const fleetDoctor = defineCommand({
  name: "fleet doctor",
  summary: "Diagnose the broker, workers and threads",
  mostOperands: 0,
  options: { ...brokerOptions, json: { type: "boolean", help: "Print the checks as JSON" } },
  details: "Exits with 1 if a check fails; warnings do not count.",
  async run({ values }, io) {
    const checks = await withBroker(values, io, examine);
    if (values.json) io.stdout.write(`${JSON.stringify({ checks })}\n`);
    else {
      const rows = checks.map(({ status, name, detail }) => [status, name, detail]);
      io.stdout.write(`${columnLines(rows).join("\n")}\n`);
    }
    return checks.some(({ status }) => status === "fail") ? exitCodes.failed : exitCodes.ok;
  },
});

interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  detail: string;
}

async function examine(broker: Broker): Promise<Check[]> {
  const [facts, workers, leases, entries] = await Promise.all([
    broker.inspect(),
    broker.workers.list(),
    broker.leases.list(),
    broker.directory.list(),
  ]);
  const pools = new Set(entries.filter(({ state }) => state !== "idle").map(({ pool }) => pool));
  return [
    ...brokerChecks(facts),
    ...workerChecks(workers, pools),
    threadCheck(workers, leases, entries.length),
  ];
}

function brokerChecks({ server, roundTripMs, stores, skipped }: BrokerFacts): Check[] {
  const bytes = stores.reduce((sum, store) => sum + store.bytes, 0);
  const messages = stores.reduce((sum, store) => sum + store.messages, 0);
  return [
    { name: "broker", status: "ok", detail: server },
    {
      name: "round trip",
      status: roundTripMs < slowMs ? "ok" : "warn",
      detail: `${roundTripMs.toFixed(1)} ms`,
    },
    { name: "store", status: "ok", detail: `${counted(messages, "message")}, ${bytesText(bytes)}` },
    {
      name: "skipped messages",
      status: skipped === 0 ? "ok" : "warn",
      detail:
        skipped === 0 ? "none" : `${skipped}: another program writes to the subjects of the fleet`,
    },
  ];
}

/** Each append of a thread waits so long; more is felt in every command. */
const slowMs = 100;

function workerChecks(workers: readonly WorkerInfo[], pools: ReadonlySet<string>): Check[] {
  const ready = workers.filter(({ draining }) => !draining);
  const served = new Set(ready.map(({ pool }) => pool));
  const missing = [...pools].filter((pool) => !served.has(pool));
  const names = ready.map(({ name, pool }) => `${name} (${pool})`).join(", ");
  return [
    {
      name: "workers",
      status: ready.length === 0 ? "warn" : "ok",
      detail: ready.length === 0 ? "none is ready; start `quire fleet worker`" : names,
    },
    ...missing.map((pool) => ({
      name: "pool",
      status: "fail" as const,
      detail: `${pool} has turns to run, and no worker`,
    })),
  ];
}

function threadCheck(
  workers: readonly WorkerInfo[],
  leases: readonly LeaseRecord[],
  count: number,
): Check {
  const names = new Set(workers.map(({ name }) => name));
  const lost = leases.filter(({ worker }) => !names.has(worker));
  const total = `${counted(count, "thread")}, ${leases.length} loaded`;
  if (lost.length === 0) return { name: "threads", status: "ok", detail: total };
  const examples = lost.slice(0, 3).map(({ threadId, worker }) => `${threadId} (${worker})`);
  return {
    name: "threads",
    status: "warn",
    detail: `${total}; ${lost.length} held by workers that are gone: ${examples.join(", ")}`,
  };
}
