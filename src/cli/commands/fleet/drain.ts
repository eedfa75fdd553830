import { setTimeout as delay } from "node:timers/promises";
import { type Broker, UnreachableError } from "../../../fleet/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { brokerOptions, withBroker } from "./connect.js";

/** Asks a worker to take nothing new, hand over or end its threads, and exit. */
export const fleetDrain = defineCommand({
  name: "fleet drain",
  summary: "Let a worker end or hand over its threads, then exit",
  operands: "WORKER",
  mostOperands: 1,
  options: {
    ...brokerOptions,
    wait: { type: "boolean", help: "Wait until the worker is gone" },
  },
  async run({ values, positionals: [name] }, io) {
    if (name === undefined) throw new UsageError("Expected WORKER, the name of a worker");
    await withBroker(values, io, async (broker) => {
      await broker.workers.drain(name);
      if (values.wait) await untilGone(name, broker, io.signal);
    });
    io.stdout.write(values.wait ? `${name} is gone\n` : `${name} is draining\n`);
    return exitCodes.ok;
  },
});

async function untilGone(name: string, { workers }: Broker, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const listed = await workers.list();
      if (!listed.some((worker) => worker.name === name)) return;
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
    await delay(200, undefined, { signal });
  }
}
