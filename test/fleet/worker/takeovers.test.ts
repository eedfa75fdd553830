import { expect, test } from "vitest";
import { Takeovers } from "../../../src/fleet/worker/takeovers.js";
import { createDeferred } from "../../../src/lib/async.js";

test("threads are taken over a few at a time, each once, in the order of their loss", async () => {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const takeovers = new Takeovers(async (threadId) => {
    started.push(threadId);
    const { promise, resolve } = createDeferred<void>();
    ends.set(threadId, resolve);
    await promise;
  });
  const end = async (threadId: string) => {
    ends.get(threadId)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };

  for (const threadId of ["a", "b", "c", "d", "e", "f", "e"]) takeovers.add(threadId);
  const atFirst = [...started];
  await end("b");
  const later = [...started];
  for (const threadId of ["a", "c", "d", "e", "f"]) await end(threadId);
  takeovers.add("a");

  expect(atFirst).toEqual(["a", "b", "c", "d"]);
  expect(later).toEqual(["a", "b", "c", "d", "e"]);
  expect(started).toEqual(["a", "b", "c", "d", "e", "f", "a"]);
});
