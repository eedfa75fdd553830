import { expect, test } from "vitest";
import { readRetry, retryText, Status } from "../../../src/tui/state/status.js";

test.each([
  ["stream lost; retrying 2/5 in 1.9s…", 1000, "stream lost; retrying 2/5 in 2s"],
  ["stream lost; retrying 2/5 in 1.9s…", 2900, "stream lost; retrying 2/5 now"],
  ["stream lost; retrying 1/5 in 200ms…", 1000, "stream lost; retrying 1/5 in 1s"],
  ["retrying in 3s", 1000, "retrying in 3s"],
  ["Reconnecting... 1/5", 4000, "Reconnecting... 1/5 (3s ago)"],
])("%j at %i is shown as %j", (message, now, text) => {
  expect(retryText(readRetry(message, 1000), now)).toBe(text);
});

function usage(total: number, window: number | null) {
  const tokens = { totalTokens: total } as never;
  return { total: tokens, last: tokens, modelContextWindow: window } as Status["usage"];
}

test.each([
  [0, 272_000, 100],
  [12_000, 272_000, 100],
  [142_000, 272_000, 50],
  [272_000, 272_000, 0],
  [500_000, 272_000, 0],
  [100, 8_000, 0],
  [100, null, undefined],
])("%i tokens of %j leave %j percent", (total, window, left) => {
  const status = new Status();
  status.usage = usage(total, window);
  expect(status.contextLeft()).toBe(left);
});

test("without usage nothing is known of the context", () => {
  expect(new Status().contextLeft()).toBeUndefined();
});

test("the oldest dialog is the pending one, in whatever order they close", () => {
  const status = new Status();
  const closeFirst = status.asked("approval");
  const closeSecond = status.asked("answer");
  const closeThird = status.asked("approval");
  expect(status.pending?.kind).toBe("approval");
  closeFirst();
  expect(status.pending?.kind).toBe("answer");
  closeThird();
  expect(status.pending?.kind).toBe("answer");
  closeSecond();
  expect(status.pending).toBeUndefined();
});

test("a turn that is reported twice keeps its start", () => {
  const status = new Status();
  status.turnStarted("a", 1);
  status.turnStarted("a", 9);
  expect(status.turn).toMatchObject({ id: "a", startedAt: 1 });
  status.turnStarted("b", 9);
  expect(status.turn).toMatchObject({ id: "b", startedAt: 9 });
  expect(status.hasTurns).toBe(true);
});

test("clearing forgets the thread, but not the limits of the account", () => {
  const status = new Status();
  status.turnStarted("a", 1);
  status.threadName = "x";
  status.diff = "d";
  status.usage = usage(1, 2);
  status.limits = { primary: null } as never;
  status.clear();
  expect(status).toMatchObject({
    turn: undefined,
    threadName: undefined,
    hasTurns: false,
    usage: undefined,
    diff: "",
    limits: { primary: null },
  });
});
