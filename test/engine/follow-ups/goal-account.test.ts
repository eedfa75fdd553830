import { describe, expect, test } from "vitest";
import { goalAccess } from "../../../src/engine/follow-ups/goal-access.js";
import { Goals } from "../../../src/engine/follow-ups/goals.js";
import { ThreadWork } from "../../../src/rollout/index.js";
import { createFakeSession } from "./fake-session.js";

/** Goals of a session in a turn. */
function createGoals() {
  const fake = createFakeSession();
  const goals = new Goals(fake.session, new ThreadWork());
  fake.state.task = { id: "s1", turnId: "turn-1" };
  goals.beginTurn();
  /** Lets the turn use tokens and time. */
  const use = (tokens: number, ms = 0) => {
    fake.state.tokens.spent += tokens;
    fake.state.now += ms;
  };
  return { ...fake, goals, use };
}

describe("tokens and time of a goal", () => {
  test("those before the goal do not count", () => {
    const { goals, use } = createGoals();
    use(500, 5000);
    goals.set({ objective: "x" }, "s");
    use(10, 2000);
    goals.count();

    expect(goals.current).toMatchObject({ tokensUsed: 10, timeUsedSeconds: 2 });
  });

  test("parts of seconds are added up", () => {
    const { goals, use } = createGoals();
    goals.set({ objective: "x" }, "s");
    for (let step = 0; step < 3; step++) {
      use(1, 700);
      goals.count();
    }

    expect(goals.current).toMatchObject({ tokensUsed: 3, timeUsedSeconds: 2 });
  });

  test.each([
    ["active", 10],
    ["budgetLimited", 10],
    ["paused", 0],
    ["blocked", 0],
    ["usageLimited", 0],
    ["complete", 0],
  ] as const)("a goal that is %s counts %d of 10 tokens", (status, counted) => {
    const { goals, use } = createGoals();
    goals.set({ objective: "x", status }, "s");
    use(10);
    goals.count();

    expect(goals.current?.tokensUsed).toBe(counted);
  });

  test.each([
    [99, "active", 0],
    [100, "budgetLimited", 1],
    [150, "budgetLimited", 1],
  ] as const)(
    "%d of 100 tokens make it %s, with %d messages to the model",
    (spent, status, sent) => {
      const { goals, use, added } = createGoals();
      goals.set({ objective: "x", tokenBudget: 100 }, "s");
      use(spent);
      goals.count();
      goals.count();

      expect(goals.current?.status).toBe(status);
      expect(added).toHaveLength(sent);
    },
  );

  test("at the end of a turn the model is not informed", () => {
    const { goals, use, added } = createGoals();
    goals.set({ objective: "x", tokenBudget: 5 }, "s");
    use(9);
    goals.count({ isLast: true });

    expect(goals.current?.status).toBe("budgetLimited");
    expect(added).toEqual([]);
  });

  test("time alone is reported with the end of the turn", () => {
    const { goals, use, emitted } = createGoals();
    goals.set({ objective: "x" }, "s");
    emitted.length = 0;
    use(0, 3000);
    goals.count();
    expect(emitted).toEqual([]);
    use(0, 1000);
    goals.count({ isLast: true });

    expect(emitted).toMatchObject([
      { id: "s1", msg: { turnId: "turn-1", goal: { timeUsedSeconds: 4 } } },
    ]);
  });
});

describe("changes by clients and the model", () => {
  test("a thread without a log has no goals", () => {
    const { goals, state } = createGoals();
    state.path = undefined;

    expect(() => goals.set({ objective: "x" }, "s")).toThrow(
      "ephemeral thread does not support goals: t",
    );
    expect(() => goals.create({ objective: "x" }, 0)).toThrow("ephemeral thread");
  });

  test("only an active goal fails with its turn", () => {
    const { goals } = createGoals();
    goals.fail("blocked");
    expect(goals.current).toBeUndefined();
    goals.set({ objective: "x", status: "paused" }, "s");
    goals.fail("blocked");
    expect(goals.current?.status).toBe("paused");
    goals.set({ status: "active" }, "s");
    goals.fail("usageLimited");

    expect(goals.current?.status).toBe("usageLimited");
    expect(goals.isActive).toBe(false);
  });

  test("the model creates, reads and completes a goal", () => {
    const { goals, use } = createGoals();
    const access = () => goalAccess(goals, 0);
    expect(JSON.parse(access().get())).toEqual({
      goal: null,
      remainingTokens: null,
      completionBudgetReport: null,
    });
    expect(() => access().update("complete")).toThrow("this thread has no goal");
    expect(JSON.parse(access().create("x", 100))).toMatchObject({
      goal: { objective: "x", status: "active", tokenBudget: 100 },
      remainingTokens: 100,
    });
    expect(() => access().create("y")).toThrow("unfinished goal");
    use(30);
    goals.count();
    const done = JSON.parse(access().update("complete"));

    expect(done).toMatchObject({ goal: { status: "complete" }, remainingTokens: 70 });
    expect(done.completionBudgetReport).toContain("30 of 100 tokens");
    expect(JSON.parse(access().create("y"))).toMatchObject({ goal: { tokensUsed: 0 } });
  });
});
