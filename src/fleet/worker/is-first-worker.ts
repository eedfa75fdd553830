import type { Broker } from "../broker.js";

/** Returns true for one worker of a pool, the first by name: it does the work that one of them should do. */
export async function isFirstWorker(
  { workers }: Broker,
  { worker, pool }: { worker: string; pool: string },
): Promise<boolean> {
  const announced = await workers.list();
  return !announced.some((one) => one.pool === pool && !one.draining && one.name < worker);
}
