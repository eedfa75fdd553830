import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { processStart } from "../../src/lib/process-table.js";

/** Waits until none of these processes runs; fails after `patienceMs`. */
export async function untilGone(pids: readonly number[], patienceMs = 5_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let running = pids;
  while (running.length > 0 && performance.now() < deadline) {
    await delay(10);
    running = running.filter((pid) => processStart(pid) !== "");
  }
  expect(running).toEqual([]);
}
