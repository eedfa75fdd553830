import { describe, expect, test } from "vitest";
import { CodexError } from "../../src/protocol/error.js";
import { createGoal, getGoal, updateGoal } from "../../src/tools/goal.js";
import type { GoalAccess, Tool, ToolContext } from "../../src/tools/tool.js";

async function call(tool: Tool, input: unknown, failure?: Error) {
  const calls: unknown[][] = [];
  const record = (...call: unknown[]): string => {
    calls.push(call);
    if (failure !== undefined) throw failure;
    return "output";
  };
  const access: GoalAccess = {
    get: () => record("get"),
    create: (objective, budget) => record("create", objective, budget),
    update: (status) => record("update", status),
  };
  const context = { goal: async () => access } as unknown as ToolContext;
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { calls, output: await tool.run({ text }, context) };
}

const [get, create, update] = [getGoal.tool, createGoal.tool, updateGoal.tool];

describe("the tools of goals", () => {
  test.each<[string, Tool, unknown, unknown[]]>([
    ["get_goal", get, {}, ["get"]],
    ["create_goal", create, { objective: "x" }, ["create", "x", undefined]],
    ["create_goal", create, { objective: "x", token_budget: 5 }, ["create", "x", 5]],
    ["create_goal", create, { objective: "x", token_budget: null }, ["create", "x", undefined]],
    ["create_goal", create, { objective: "", token_budget: -1 }, ["create", "", -1]],
    ["update_goal", update, { status: "complete" }, ["update", "complete"]],
    ["update_goal", update, { status: "blocked" }, ["update", "blocked"]],
    ["update_goal", update, { status: "paused" }, ["update", "paused"]],
  ])("%s passes its arguments on", async (_, tool, input, expected) => {
    const { calls, output } = await call(tool, input);

    expect(calls).toEqual([expected]);
    expect(output).toEqual({ text: "output", success: true });
  });

  test.each(["active", "budgetLimited", "usageLimited", "usage_limited", "Complete", ""])(
    "the status %j is not for the model to set",
    async (status) => {
      const { calls, output } = await call(update, { status });

      expect(output.success).toBe(false);
      expect(output.text).toContain("can only mark the existing goal complete, blocked, or paused");
      expect(calls).toEqual([]);
    },
  );

  test.each<[string, Tool, unknown, string]>([
    ["create_goal", create, {}, "missing field `objective`"],
    ["create_goal", create, { objective: 5 }, "invalid type"],
    ["create_goal", create, { objective: "x", token_budget: "5" }, "invalid type"],
    ["create_goal", create, { objective: "x", token_budget: 1.5 }, "invalid type"],
    ["create_goal", create, "{", "EOF while parsing"],
    ["update_goal", update, {}, "missing field `status`"],
    ["update_goal", update, { status: null }, "missing field `status`"],
  ])("%s with wrong arguments does nothing", async (_, tool, input, problem) => {
    const { calls, output } = await call(tool, input);

    expect(output.success).toBe(false);
    expect(output.text).toContain(problem);
    expect(calls).toEqual([]);
  });

  test.each([get, create, update])("an error of the goal is for the model", async (tool) => {
    const input = { objective: "x", status: "complete" };
    const error = new CodexError("invalid_request", "there is another goal");

    expect((await call(tool, input, error)).output).toEqual({
      text: "there is another goal",
      success: false,
    });
    await expect(call(tool, input, new RangeError("fault"))).rejects.toThrow("fault");
  });

  test.each([get, create, update])("a thread without goals refuses the call", async (tool) => {
    const text = JSON.stringify({ objective: "x", status: "complete" });
    const contexts = [{}, { goal: async () => undefined }] as unknown as ToolContext[];
    for (const context of contexts) {
      expect(await tool.run({ text }, context)).toEqual({
        text: "There are no goals here.",
        success: false,
      });
    }
  });
});
