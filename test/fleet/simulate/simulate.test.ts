import { expect, test } from "vitest";
import { needsOf, type Simulation, simulate } from "../../../src/fleet/simulate/index.js";

const small: Simulation = {
  threads: 100_000,
  active: 200,
  workers: 5,
  kills: 2,
  leaseMs: 2_000,
  durationMs: 60_000,
  turn: { batches: 10, pauseMs: 1_500, batchBytes: 1_000 },
  turnsPerThread: 3,
};

test("every turn ends once, whichever workers are lost, and owners follow in order", async () => {
  const result = await simulate(small);

  expect(result.turns).toEqual({ started: 200, ended: 200 });
  expect(result.violations).toBe(0);
  expect(result.takeovers.count).toBeGreaterThan(10);
  expect(result.takeovers.slowestMs).toBeLessThanOrEqual(small.leaseMs + 1_000);
  expect(result.load.mostLeases).toBeGreaterThan(20);
});

test("idle threads cost the broker their stored messages and nothing else", async () => {
  const few = await simulate({ ...small, kills: 0 });
  const many = await simulate({ ...small, kills: 0, threads: 1_000_000 });

  expect(many.load).toEqual(few.load);
  expect(many.store.messages).toBe(10 * few.store.messages);
  expect(needsOf(many, small).messagesPerSecond).toBe(needsOf(few, small).messagesPerSecond);
});
