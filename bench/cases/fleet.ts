import { setMaxListeners } from "node:events";
import type { Broker, DirectoryEntry } from "../../src/fleet/index.js";
import { createUuidSource } from "../../src/lib/ids.js";
import type { AppServer } from "../against/app-server.js";
import type { Figure, Scope, Yardstick } from "../figure.js";
import { FleetPlace, pool } from "../fleet-place.js";
import { median, timed } from "../measure.js";
import { plainLoop } from "../yardsticks.js";

/** Cost of a fleet on one machine: client, gateway, broker, worker and model share its cores. */
export async function fleetFigures(scope: Scope): Promise<Figure[]> {
  await using fleet = await FleetPlace.start(scope, 1);
  const gateway = await fleet.connect();
  const local = await fleet.connectLocally();
  try {
    return [
      await turnFigure(scope, gateway, local),
      ...(await threadFigures(scope, fleet, gateway, local)),
      await eventFigure(scope, fleet.broker),
      await listFigure(scope, fleet.broker, gateway),
    ];
  } finally {
    await local.end();
  }
}

/** Turns of gateway and app-server in turn, so that noise meets both alike. */
async function turnFigure({ short }: Scope, gateway: AppServer, local: AppServer): Promise<Figure> {
  const sides = [gateway, local];
  const threads = await Promise.all(sides.map((side) => side.startThread()));
  const walls: [number[], number[]] = [[], []];
  const warmUp = 30;
  for (let turn = 0; turn < warmUp + (short ? 60 : 400); turn++) {
    for (const [index, side] of sides.entries()) {
      const ms = await timed(() => side.turn(threads[index] ?? ""));
      if (turn >= warmUp) walls[index]?.push(ms);
    }
  }
  return {
    key: "fleet.turn",
    name: "a turn with a short answer through gateway and worker (median)",
    value: median(walls[0]),
    unit: "ms",
    beside: { name: "app-server", value: median(walls[1]) },
    aim: { atMostOver: 5 },
  };
}

/**
 * Starts threads at once, and looks at the memory of the worker while they are idle and after they are unloaded.
 *
 * The first times compile code and fill pools; what each later time adds would never end.
 */
async function threadFigures(
  { short }: Scope,
  fleet: FleetPlace,
  gateway: AppServer,
  local: AppServer,
): Promise<Figure[]> {
  const count = short ? 40 : 200;
  const [worker] = fleet.workers;
  if (worker === undefined) return [];
  const startAll = async (side: AppServer): Promise<number> => {
    const ms = await timed(() =>
      Promise.all(Array.from({ length: count }, async () => side.turn(await side.startThread()))),
    );
    return (count / ms) * 1000;
  };
  const unloadedMb = async (): Promise<number> => {
    await whenUnloaded(fleet.broker);
    // Connections and folders of the last threads are closed a moment later.
    const readings: number[] = [];
    for (let n = 0; n < 4; n++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      readings.push(await worker.heldMb());
    }
    return Math.min(...readings);
  };
  const before = await unloadedMb();
  const rate = await startAll(gateway);
  await whenUnloaded(fleet.broker);
  await startAll(gateway);
  const warm = await unloadedMb();
  await startAll(gateway);
  const loaded = (await worker.heldMb()) - warm;
  await whenUnloaded(fleet.broker);
  await startAll(gateway);
  const grown = ((await unloadedMb()) - warm) / 2;
  const beside: Yardstick = { name: "worker without threads", value: before };
  return [
    {
      key: "fleet.threads",
      name: `threads started, each with a turn (${count} at once)`,
      value: rate,
      unit: "/s",
      beside: { name: "app-server", value: await startAll(local) },
    },
    {
      key: "fleet.idle-memory",
      name: `memory of ${count} idle threads that are loaded at a worker`,
      value: loaded,
      unit: "MB",
      beside,
    },
    {
      key: "fleet.unloaded-memory",
      name: `memory that ${count} more threads leave after they were unloaded`,
      value: grown,
      unit: "MB",
      beside: { name: `left by the first ${2 * count}`, value: warm - before },
      aim: { atMost: 0.5 },
    },
  ];
}

/** Appends to the logs of ten threads at once, while each is followed. */
async function eventFigure({ short }: Scope, broker: Broker): Promise<Figure> {
  const newId = createUuidSource(Date.now);
  const [threads, batches, size] = [10, short ? 50 : 300, 10];
  const event = { id: "1", msg: { type: "agent_message" as const, message: "x".repeat(200) } };
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: threads }, async () => {
        const threadId = newId();
        const followed = (async () => {
          let seen = 0;
          for await (const _ of broker.log.follow(threadId, 0, stop.signal)) {
            if (++seen === batches) return;
          }
        })();
        let position = 0;
        for (let n = 0; n < batches; n++) {
          const entries = Array.from({ length: size }, (_, index) => ({
            seq: 16 * (n * size + index + 1),
            event,
          }));
          const batch = { epoch: 1, worker: "bench", applied: [], entries };
          position = await broker.log.append(threadId, batch, position);
        }
        await followed;
      }),
    ),
  );
  stop.abort();
  const { name, value } = plainLoop();
  return {
    key: "fleet.events",
    name: "events through one broker, stored and delivered, by one client",
    value: (1000 * threads * batches * size) / ms,
    unit: "/s",
    beside: { name: `items of the ${name}`, value: (20_000 / value) * 1000 },
  };
}

/** Lists the newest threads of a fleet that has 10,000 of them; none is loaded anywhere. */
async function listFigure({ short }: Scope, broker: Broker, gateway: AppServer): Promise<Figure> {
  const count = short ? 1_000 : 10_000;
  const newId = createUuidSource(Date.now);
  const entries = Array.from({ length: count }, (_, index) => entryOf(newId(), index));
  for (let at = 0; at < count; at += 200) {
    await Promise.all(entries.slice(at, at + 200).map((entry) => broker.directory.put(entry)));
  }
  const list = () => timed(() => gateway.request("thread/list", { limit: 25 }));
  const first = await list();
  const later: number[] = [];
  for (let n = 0; n < (short ? 3 : 9); n++) later.push(await list());
  return {
    key: "fleet.list",
    name: `thread/list with ${count.toLocaleString("en")} idle threads (median)`,
    value: median(later),
    unit: "ms",
    beside: { name: "the first time", value: first },
  };
}

function entryOf(threadId: string, index: number): DirectoryEntry {
  const atMs = Date.now() - 1_000_000 + index;
  const timestamp = new Date(atMs).toISOString();
  const cwd = "/projects/bench";
  const meta = { id: threadId, timestamp, cwd, originator: "bench", cli_version: "0.1.0" };
  const text = `Message ${index}: ${"please look at this ".repeat(10)}`;
  return {
    threadId,
    pool,
    head: [
      { timestamp, type: "session_meta", payload: { ...meta, source: "cli", model_provider: "x" } },
      {
        timestamp,
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
      },
      { timestamp, type: "event_msg", payload: { type: "user_message", message: text } },
    ] as DirectoryEntry["head"],
    createdAtMs: atMs,
    updatedAtMs: atMs,
    state: "idle",
    worker: "bench",
    epoch: 1,
  };
}

/** Waits until no worker holds a lease: idle threads are unloaded after some seconds. */
export async function whenUnloaded(broker: Broker): Promise<void> {
  while ((await broker.leases.list()).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
