import type { AppServer } from "../against/app-server.js";
import type { Figure, Scope } from "../figure.js";
import { FleetPlace } from "../fleet-place.js";
import { median } from "../measure.js";

/** Memory and pace of two workers with 100 threads that take one turn after the other, for ten minutes. */
export async function fleetLiveFigures(scope: Scope): Promise<Figure[]> {
  const [threads, seconds, everyMs] = scope.short ? [20, 20, 1_000] : [100, 600, 10_000];
  await using fleet = await FleetPlace.start(scope, 2);
  const gateway = await fleet.connect();
  const run = { isOver: false, turns: 0 };
  const all = Array.from({ length: threads }, () => takeTurns(gateway, run));
  const held: number[] = [];
  const startMs = performance.now();
  while (performance.now() - startMs < seconds * 1000) {
    await Promise.race([sleep(everyMs), Promise.all(all)]);
    const ofWorkers = await Promise.all(fleet.workers.map((worker) => worker.heldMb()));
    held.push(ofWorkers.reduce((sum, mb) => sum + mb, 0));
  }
  const lastedMs = performance.now() - startMs;
  run.isOver = true;
  await Promise.all(all);
  // The first fifth is warm-up: code is compiled, and every thread is loaded.
  const steady = held.slice(Math.ceil(held.length / 5));
  const half = Math.ceil(steady.length / 2);
  const [first, second] = [median(steady.slice(0, half)), median(steady.slice(-half))];
  return [
    {
      key: "fleet-live.memory",
      name: `memory that two workers hold for ${threads} live threads, second half of ${seconds} s`,
      value: second,
      unit: "MB",
      beside: { name: "first half", value: first },
      aim: { atMostOver: Math.max(2, first * 0.05) },
    },
    {
      key: "fleet-live.turns",
      name: `turns of ${threads} live threads on two workers`,
      value: (run.turns / lastedMs) * 1000,
      unit: "/s",
      beside: { name: "threads", value: threads },
    },
  ];
}

/** Ten turns of a thread, then a new one: the history of a thread grows with its turns. */
async function takeTurns(
  gateway: AppServer,
  run: { isOver: boolean; turns: number },
): Promise<void> {
  while (!run.isOver) {
    const thread = await gateway.startThread();
    for (let turn = 0; turn < 10 && !run.isOver; turn++) {
      await gateway.turn(thread);
      run.turns++;
      await sleep(500 * Math.random());
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
