import { describe, expect, test, vi } from "vitest";
import { LimitWatch } from "../../../src/cli/exec/limits.js";
import type { ServerNotification } from "../../../src/client/index.js";

const none = {
  turns: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
};

/** Notifications of a turn in short form. */
function notify(watch: LimitWatch, ...steps: (string | number)[]): void {
  let total = 0;
  for (const step of steps) {
    if (typeof step === "number") {
      total += step;
      const tokenUsage = { last: { totalTokens: step }, total: { totalTokens: total } };
      watch.observe({
        method: "thread/tokenUsage/updated",
        params: { tokenUsage },
      } as unknown as ServerNotification);
    } else if (step === "turn") {
      watch.observe({ method: "turn/started", params: {} } as unknown as ServerNotification);
    } else {
      watch.observe({
        method: "item/started",
        params: { item: { type: step } },
      } as unknown as ServerNotification);
    }
  }
}

describe("limits of a run", () => {
  test.each([
    [{ turns: 1 }, ["turn", "agentMessage", 10], undefined],
    [{ turns: 1 }, ["turn", "commandExecution", 10], "limit of 1 model requests reached"],
    [{ turns: 1 }, ["turn", 10, "commandExecution"], "limit of 1 model requests reached"],
    [{ turns: 1 }, ["turn", 10, "reasoning"], "limit of 1 model requests reached"],
    [{ turns: 1 }, ["turn", 10, "userMessage"], undefined],
    [{ turns: 2 }, ["turn", "commandExecution", 10], undefined],
    [
      { turns: 2 },
      ["turn", "commandExecution", 10, "fileChange", 10],
      "limit of 2 model requests reached",
    ],
    [{ tokens: 100 }, ["turn", "commandExecution", 100], undefined],
    [{ tokens: 100 }, ["turn", "commandExecution", 101], "token limit exceeded (101 used)"],
    [
      { tokens: 100 },
      ["turn", "mcpToolCall", 60, "mcpToolCall", 60],
      "token limit exceeded (120 used)",
    ],
    [{ tokens: 100 }, [500, "turn", "commandExecution", 10], undefined],
    [{}, ["turn", "commandExecution", 1e9], undefined],
  ])("%j: %j is stopped by %s", (limits, steps, reached) => {
    const watch = new LimitWatch({ ...none, ...limits });
    notify(watch, ...steps);

    expect(watch.reached).toBe(reached);
    expect(watch.signal.aborted).toBe(reached !== undefined);
    watch.close();
  });

  test("a usage that is reported twice counts once", () => {
    const watch = new LimitWatch({ ...none, turns: 2 });
    notify(watch, "turn", "commandExecution", 10);
    const tokenUsage = { last: { totalTokens: 10 }, total: { totalTokens: 10 } };
    watch.observe({
      method: "thread/tokenUsage/updated",
      params: { tokenUsage },
    } as unknown as ServerNotification);

    expect(watch.reached).toBeUndefined();
  });

  test("of time stop the run, unless it is closed before", () => {
    vi.useFakeTimers();
    try {
      const watch = new LimitWatch({ ...none, seconds: 2.5 });
      const closed = new LimitWatch({ ...none, seconds: 1 });
      closed.close();
      vi.advanceTimersByTime(2499);
      const before = watch.reached;
      vi.advanceTimersByTime(1);

      expect([before, watch.reached, closed.reached]).toEqual([
        undefined,
        "time limit of 2.5 s reached",
        undefined,
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of time that no timer can hold do not stop at once", () => {
    const watch = new LimitWatch({ ...none, seconds: 1e12 });

    expect(watch.signal.aborted).toBe(false);
    watch.close();
  });
});
