import { expect, test } from "vitest";
import { createDeferred } from "../../src/lib/async.js";
import { whileLeaving } from "../../src/transport/channel.js";

test("a slow peer is waited for as long as it keeps reading", async () => {
  let waiting = 10;
  let isGivenUp = false;
  const { promise, resolve } = createDeferred<void>();
  const alive = setInterval(() => {}, 1000); // the watch alone keeps no process running

  await whileLeaving(promise, {
    backlog() {
      if (--waiting === 0) resolve();
      return waiting;
    },
    giveUp() {
      isGivenUp = true;
    },
    stallMs: 2,
  });

  clearInterval(alive);
  expect({ waiting, isGivenUp }).toEqual({ waiting: 0, isGivenUp: false });
});

test("a peer that reads nothing is given up", async () => {
  const { promise, resolve } = createDeferred<void>();
  const alive = setInterval(() => {}, 1000);

  await whileLeaving(promise, { backlog: () => 5, giveUp: () => resolve(), stallMs: 2 });

  clearInterval(alive);
});
