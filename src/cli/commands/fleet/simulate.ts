import type { Needs, Simulated, Simulation } from "../../../fleet/simulate/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { bytesText, columnLines } from "../../print.js";

/** Simulates a fleet on a fast clock and prints what it needs. */
export const fleetSimulate = defineCommand({
  name: "fleet simulate",
  summary: "Simulate a fleet and print what it needs",
  mostOperands: 0,
  options: {
    threads: number("10000", "Threads of the fleet, most of them idle"),
    active: number("1000", "Threads that have a turn in the simulated time"),
    workers: number("10", "Workers"),
    kills: number("3", "Workers that are lost on the way"),
    lease: number("10", "Lease of the workers, in seconds"),
    minutes: number("5", "Simulated time"),
    commands: number("8", "Commands of a turn"),
    "turns-per-thread": number("10", "Turns that each thread has had, for the size of the store"),
    json: { type: "boolean", help: "Print JSON" },
  },
  details: [
    "Nothing is started: workers without model and commands run on a broker in memory, with the code of",
    "the real ones for leases, wake-ups and logs. Exits with 1 if a turn does not end, or if an entry of an",
    "old owner follows one of a newer owner.",
  ].join("\n"),
  async run({ values }, io) {
    const simulation = readSimulation(values);
    const { simulate, needsOf } = await import("../../../fleet/simulate/index.js");
    const result = await simulate(simulation);
    const needs = needsOf(result, simulation);
    const text = values.json
      ? JSON.stringify({ ...result, needs })
      : columnLines(rowsOf(result, needs)).join("\n");
    io.stdout.write(`${text}\n`);
    const isGood = result.violations === 0 && result.turns.ended === result.turns.started;
    return isGood ? exitCodes.ok : exitCodes.failed;
  },
});

function number(byDefault: string, help: string) {
  return { type: "string", value: "N", default: byDefault, help } as const;
}

type NumberOption =
  | "threads"
  | "active"
  | "workers"
  | "kills"
  | "lease"
  | "minutes"
  | "commands"
  | "turns-per-thread";

function readSimulation(values: Readonly<Record<NumberOption, string>>): Simulation {
  const read = (name: NumberOption, least: number, most: number) => {
    const value = Number(values[name]);
    if (values[name].trim() !== "" && value >= least && value <= most) return value;
    throw new UsageError(
      `Expected --${name} to be a number from ${least} to ${most} (got "${values[name]}")`,
    );
  };
  const threads = read("threads", 1, 100_000_000);
  const minutes = read("minutes", 1, 600);
  // A command is begun and ended, each in a batch; the turn begins, and ends with a message.
  const batches = 2 * read("commands", 0, 1000) + 2;
  return {
    threads,
    active: Math.min(threads, read("active", 1, 200_000)),
    workers: read("workers", 1, 10_000),
    kills: read("kills", 0, 1000),
    leaseMs: 1000 * read("lease", 0.2, 3600),
    durationMs: minutes * 60_000,
    turn: { batches, pauseMs: (minutes * 60_000) / 4 / batches, batchBytes: 1_500 },
    turnsPerThread: read("turns-per-thread", 1, 100_000),
  };
}

function rowsOf(
  { turns, takeovers, violations, load, store }: Simulated,
  needs: Needs,
): string[][] {
  return [
    ["turns", `${turns.ended} of ${turns.started} ended`],
    ["takeovers", `${takeovers.count}, slowest after ${(takeovers.slowestMs / 1000).toFixed(1)} s`],
    ["violations", String(violations)],
    ["leases", `${load.mostLeases} at most`],
    ["renewals", `${load.renewalsPerSecond.toFixed(0)} a second`],
    ["appends", `${load.appendsPerSecond.toFixed(0)} a second`],
    ["stored", `${store.messages} messages, ${bytesText(store.bytes)}`],
    ["broker memory", bytesText(needs.brokerMemoryBytes)],
    ["broker disk", bytesText(needs.brokerDiskBytes)],
    ["broker traffic", `${needs.messagesPerSecond.toFixed(0)} messages a second`],
    ["brokers", `${needs.brokers} in a cluster with fleet.replicas = 3, or 1 without`],
    ["threads a worker", `${needs.threadsPerWorker} at most`],
  ];
}
