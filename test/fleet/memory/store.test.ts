import { expect, test } from "vitest";
import { UnreachableError } from "../../../src/fleet/broker.js";
import { MemoryStore } from "../../../src/fleet/memory/index.js";
import { batch, brokerContract } from "../broker-contract.js";

brokerContract("memory", async () => {
  let offsetMs = 0;
  const store = new MemoryStore({
    now: () => performance.now() + offsetMs,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return {
    connect: async () => store.connect(),
    close: async () => {},
    advance: (ms) => {
      offsetMs += ms;
    },
  };
});

test("a client that is cut off fails, and follows again once it is back", async () => {
  const store = new MemoryStore();
  const [worker, gateway] = [store.connect(), store.connect()];
  const first = await worker.log.append("t", batch(1, "a"), 0);
  const stop = new AbortController();
  const followed = gateway.log.follow("t", first, stop.signal)[Symbol.asyncIterator]();
  const next = followed.next();
  gateway.cut();

  await expect(gateway.log.head("t")).rejects.toThrow(UnreachableError);
  const second = await worker.log.append("t", batch(1, "b"), first);
  gateway.mend();

  expect((await next).value).toMatchObject({ position: second });
  stop.abort();
});
