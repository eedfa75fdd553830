import { expect, test } from "vitest";
import type { Event } from "../../../src/protocol/types.js";
import { MissedEvents } from "../../../src/server/thread/state.js";

test("what nobody hears takes a bounded amount of memory, and pieces of streams go first", () => {
  const missed = new MissedEvents();
  const asked: Event = {
    id: "0",
    msg: { type: "exec_approval_request", call_id: "c1", command: ["ls"], cwd: "/" },
  };
  missed.add(asked);

  const delta = "x".repeat(1000);
  for (let count = 0; count < 100_000; count++) {
    missed.add({ id: "0", msg: { type: "agent_message_delta", delta } });
  }
  const kept = missed.take();

  expect(kept[0]).toBe(asked);
  expect(kept.length).toBeLessThan(1100);
  expect(missed.take()).toEqual([]);
});

test("of events that are no pieces the newest are kept", () => {
  const missed = new MissedEvents();

  for (let count = 0; count < 5000; count++) {
    missed.add({ id: String(count), msg: { type: "warning", message: "x".repeat(1000) } });
  }
  const kept = missed.take();

  expect(kept.length).toBeLessThan(1100);
  expect(kept.at(-1)?.id).toBe("4999");
});
