import { expect, test } from "vitest";
import type { Thread } from "../../../src/protocol/rpc/v2/thread.js";
import { groupThreads, titleOf } from "../../../src/web/threads/group-threads.js";

const now = new Date(2026, 5, 15, 12);
const at = (hoursAgo: number) => now.getTime() / 1000 - hoursAgo * 3600;

function thread(id: string, hoursAgo: number, status: Thread["status"] = { type: "idle" }) {
  return { id, updatedAt: at(hoursAgo), status } as Thread;
}

test("threads are grouped by what they need, then by age", () => {
  const waiting = { type: "active", activeFlags: ["waitingOnApproval"] } as const;
  const threads = [
    thread("now", 1),
    thread("yesterday", 20),
    thread("old", 60),
    thread("runs", 60, { type: "active", activeFlags: [] }),
    thread("asks", 60, { ...waiting, activeFlags: [...waiting.activeFlags] }),
    thread("asks here", 1),
  ];
  const groups = groupThreads(threads, new Set(["asks here"]), now);

  expect(groups.map(({ name, threads: own }) => [name, own.map(({ id }) => id)])).toEqual([
    ["Waiting for you", ["asks", "asks here"]],
    ["Running", ["runs"]],
    ["Today", ["now"]],
    ["Yesterday", ["yesterday"]],
    ["Earlier", ["old"]],
  ]);
});

test("the title is the name, or the first words on one line", () => {
  expect(titleOf({ name: "Mine", preview: "x" })).toBe("Mine");
  expect(titleOf({ name: null, preview: "a\n  b" })).toBe("a b");
  expect(titleOf({ name: null, preview: "" })).toBe("Untitled");
  expect(titleOf({ name: null, preview: "x".repeat(200) })).toHaveLength(121);
});
