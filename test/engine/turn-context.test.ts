import { describe, expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import type { Config } from "../../src/config/index.js";
import {
  agentGeneration,
  overrideTurnContext,
  type TurnOverrides,
  toTurnContext,
  toTurnContextItem,
} from "../../src/engine/turn-context.js";

const era = eraOf("current");
const config = {
  cwd: "/w",
  model: "gpt-5",
  approval_policy: "on-request",
  approvals_reviewer: "user",
  sandbox_policy: { mode: "read-only" },
  model_reasoning_effort: "high",
  model_reasoning_summary: "auto",
} as unknown as Config;
const context = toTurnContext(config, era);

describe("overrideTurnContext", () => {
  test.each<[string, TurnOverrides, object]>([
    ["nothing", {}, {}],
    ["null as omitted", { cwd: null, model: null, sandbox_policy: null }, {}],
    ["the folder", { cwd: "/other" }, { cwd: "/other" }],
    ["the approval policy", { approval_policy: "never" }, { approval_policy: "never" }],
    ["the effort", { effort: "low" }, { effort: "low" }],
    ["no effort", { effort: null }, { effort: undefined }],
    ["the summary", { summary: "none" }, { summary: "none" }],
    [
      "a reviewer by its old name",
      { approvals_reviewer: "guardian_subagent" },
      { approvals_reviewer: "auto_review" },
    ],
  ])("takes %s", (_, overrides, changed) => {
    expect(overrideTurnContext(context, overrides, era.model)).toEqual({ ...context, ...changed });
  });

  test("another model brings its family", () => {
    const changed = overrideTurnContext(context, { model: "unheard-of" }, era.model);

    expect(changed.model).toBe("unheard-of");
    expect(changed.family.known).toBe(false);
    expect(context.family.known).toBe(true);
  });

  test("a mode sets model and effort before the other overrides", () => {
    const mode = { mode: "plan", settings: { model: "gpt-5-codex", reasoning_effort: "minimal" } };
    const overrides = { collaboration_mode: mode, model: "gpt-5", effort: "high" } as TurnOverrides;

    expect(overrideTurnContext(context, overrides, era.model)).toMatchObject({
      model: "gpt-5-codex",
      effort: "minimal",
      collaboration_mode: mode,
    });
  });
});

describe("toTurnContextItem", () => {
  test("logs the settings, without a reviewer if it is the user", () => {
    expect(toTurnContextItem(context)).toEqual({
      cwd: "/w",
      approval_policy: "on-request",
      sandbox_policy: { mode: "read-only" },
      model: "gpt-5",
      effort: "high",
      summary: context.summary,
    });
  });

  test("logs another reviewer, and no effort if none is set", () => {
    const item = toTurnContextItem({
      ...context,
      approvals_reviewer: "auto_review",
      effort: undefined,
    });

    expect(item).toMatchObject({ approvals_reviewer: "auto_review" });
    expect(item).not.toHaveProperty("effort");
  });
});

describe("agentGeneration", () => {
  const names = ["multi_agent", "multi_agent_v2"] as const;
  test.each([
    ["current", "v1", {}, "v1"],
    ["current", "v2", {}, "v2"],
    ["current", "v2", { multi_agent_v2: false }, "v1"],
    ["current", undefined, {}, undefined],
    ["current", undefined, { multi_agent: true }, "v1"],
    ["current", undefined, { multi_agent_v2: true }, "v2"],
    ["0.166", undefined, {}, "v1"],
    ["0.166", undefined, { multi_agent: false }, undefined],
    ["0.104", "v2", {}, undefined],
  ] as const)(
    "in %s a model that knows %s, with %j, is offered %s",
    (name, multiAgent, set, want) => {
      const switches: Partial<Record<string, boolean>> = set;
      const features = new Map(names.map((one) => [one, switches[one]]));
      const turn = { family: { ...context.family, ...(multiAgent && { multiAgent }) } };

      expect(agentGeneration({ features } as never, eraOf(name), turn)).toBe(want);
    },
  );
});
