import { describe, expect, test } from "vitest";
import {
  changeGoal,
  type GoalChange,
  limited,
} from "../../../src/engine/follow-ups/goal-change.js";
import {
  budgetMessage,
  completionReport,
  continuationMessage,
} from "../../../src/engine/follow-ups/goal-texts.js";
import type { Goal, ThreadGoalStatus } from "../../../src/protocol/types.js";

const statuses = [
  "active",
  "paused",
  "blocked",
  "usageLimited",
  "budgetLimited",
  "complete",
] as const satisfies readonly ThreadGoalStatus[];

const goal = (fields: Partial<Goal> = {}): Goal => ({
  threadId: "t",
  objective: "make it pass",
  status: "active",
  tokensUsed: 50,
  timeUsedSeconds: 7,
  createdAt: 100,
  updatedAt: 200,
  ...fields,
});

const change = (before: Goal | undefined, fields: GoalChange, now = 300_999) =>
  changeGoal(before, fields, { threadId: "t", now });

describe("a new goal", () => {
  test.each([
    [{ objective: "x" }, { objective: "x", status: "active" }],
    [{ objective: "  x \n" }, { objective: "x" }],
    [
      { objective: "x", tokenBudget: 1 },
      { tokenBudget: 1, status: "active" },
    ],
    [{ objective: "x", status: "paused" }, { status: "paused" }],
    [{ objective: "x".repeat(4000) }, { objective: "x".repeat(4000) }],
    [{ objective: "😀".repeat(4000) }, { objective: "😀".repeat(4000) }],
  ] as const)("of case %# has used nothing", (fields, expected) => {
    const { tokenBudget, ...rest } = { tokenBudget: undefined, ...expected };
    const made = change(undefined, fields);

    expect(made).toMatchObject({
      threadId: "t",
      tokensUsed: 0,
      timeUsedSeconds: 0,
      createdAt: 300,
      updatedAt: 300,
      ...rest,
    });
    expect(made.tokenBudget).toBe(tokenBudget);
  });

  test("has no field for a budget that it does not have", () => {
    expect(change(undefined, { objective: "x" })).not.toHaveProperty("tokenBudget");
    expect(change(undefined, { objective: "x", tokenBudget: null })).not.toHaveProperty(
      "tokenBudget",
    );
  });

  test.each(statuses)("replaces one that is %s only if that is complete", (status) => {
    const made = change(goal({ status, tokenBudget: 60 }), { objective: "next" });

    if (status === "complete") {
      expect(made).toMatchObject({ tokensUsed: 0, createdAt: 300, status: "active" });
      expect(made).not.toHaveProperty("tokenBudget");
    } else {
      expect(made).toMatchObject({ tokensUsed: 50, createdAt: 100, status, tokenBudget: 60 });
    }
    expect(made.objective).toBe("next");
  });
});

describe("refused changes", () => {
  test.each<[string, Goal | undefined, GoalChange, string]>([
    ["an empty objective", undefined, { objective: "" }, "goal objective must not be empty"],
    ["a blank objective", goal(), { objective: " \n" }, "goal objective must not be empty"],
    [
      "a long objective",
      goal(),
      { objective: "x".repeat(4001) },
      "goal objective must be at most 4000 characters",
    ],
    [
      "a long objective of pictures",
      goal(),
      { objective: "😀".repeat(4001) },
      "goal objective must be at most 4000 characters",
    ],
    ["a budget of 0", goal(), { tokenBudget: 0 }, "goal budgets must be positive when provided"],
    ["a negative budget", goal(), { tokenBudget: -1 }, "must be positive when provided"],
    ["a status without a goal", undefined, { status: "paused" }, "no goal exists"],
    ["a budget without a goal", undefined, { tokenBudget: 5 }, "cannot update goal for thread t"],
    ["nothing without a goal", undefined, {}, "no goal exists"],
    ["no budget without a goal", undefined, { tokenBudget: null }, "no goal exists"],
  ])("%s", (_, before, fields, message) => {
    expect(() => change(before, fields)).toThrow(message);
    expect(() => change(before, fields)).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("a change of a goal", () => {
  test.each(statuses)("to %s leaves what was used", (status) => {
    expect(change(goal(), { status })).toEqual(goal({ status, updatedAt: 300 }));
  });

  test("without fields updates only the time, and not the goal that it was given", () => {
    const before = Object.freeze(goal());

    expect(change(before, {})).toEqual({ ...before, updatedAt: 300 });
  });

  test.each([
    [undefined, 60, 60],
    [null, 60, undefined],
    [70, 60, 70],
    [70, undefined, 70],
    [undefined, undefined, undefined],
  ])("of the budget to %s, which was %s, leaves %s", (tokenBudget, old, expected) => {
    const before = goal(old === undefined ? {} : { tokenBudget: old });

    expect(change(before, { tokenBudget }).tokenBudget).toBe(expected);
  });

  test.each<[GoalChange, Partial<Goal>, ThreadGoalStatus]>([
    [{ tokenBudget: 50 }, {}, "budgetLimited"],
    [{ tokenBudget: 49 }, {}, "budgetLimited"],
    [{ tokenBudget: 51 }, {}, "active"],
    [{ tokenBudget: 10 }, { status: "paused" }, "paused"],
    [{ tokenBudget: 99 }, { status: "budgetLimited" }, "budgetLimited"],
    [{ tokenBudget: 99, status: "active" }, { status: "budgetLimited" }, "active"],
    [{ status: "active" }, { status: "budgetLimited", tokenBudget: 50 }, "budgetLimited"],
    [{ tokenBudget: null, status: "active" }, { status: "budgetLimited" }, "active"],
  ])("%j with %j is %s", (fields, before, status) => {
    expect(change(goal(before), fields).status).toBe(status);
  });
});

test.each([
  [99, 100, "active"],
  [100, 100, "budgetLimited"],
  [101, 100, "budgetLimited"],
  [1e9, undefined, "active"],
] as const)("with %d of %s tokens an active goal is %s", (tokensUsed, budget, status) => {
  const fields = budget === undefined ? {} : { tokenBudget: budget };

  expect(limited(goal({ tokensUsed, ...fields })).status).toBe(status);
});

test.each(statuses.slice(1))("a goal that is %s is not limited again", (status) => {
  const before = goal({ status, tokensUsed: 9, tokenBudget: 1 });

  expect(limited(before)).toBe(before);
});

describe("texts for the model", () => {
  const textOf = (item: unknown) => JSON.stringify(item);

  test.each([
    [{}, "Tokens used: 50. Token budget: none. Tokens left: unlimited. Time used: 7 seconds."],
    [{ tokenBudget: 60 }, "Token budget: 60. Tokens left: 10."],
    [{ tokenBudget: 40 }, "Token budget: 40. Tokens left: 0."],
  ])("of a goal with %j have the account", (fields, account) => {
    for (const make of [continuationMessage, budgetMessage]) {
      const text = textOf(make(goal(fields)));
      expect(text).toContain(account);
      expect(text).toContain("<objective>\\nmake it pass\\n</objective>");
      expect(text).toContain('<codex_internal_context source=\\"goal\\">');
    }
  });

  test("the report of a complete goal is for goals with a budget", () => {
    expect(completionReport(goal())).toBeNull();
    expect(completionReport(goal({ tokenBudget: 60 }))).toContain("50 of 60 tokens and 7 seconds");
  });
});
