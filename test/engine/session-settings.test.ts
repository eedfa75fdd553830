import { describe, expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import type { Config } from "../../src/config/index.js";
import {
  resumedConfig,
  sessionMeta,
  withOp,
  withRecordedPolicies,
} from "../../src/engine/session-settings.js";
import type { ConfigureSessionOp } from "../../src/protocol/types.js";

const config = {
  cwd: "/now",
  model: "today",
  approval_policy: "on-request",
  approvals_reviewer: "user",
  sandbox_policy: { mode: "workspace-write" },
  provider: { id: "mock" },
} as unknown as Config;
const op: ConfigureSessionOp = { type: "configure_session" };

describe("withOp", () => {
  test("an empty op changes nothing", () => {
    expect(withOp(config, op)).toEqual({ ...config, base_instructions: undefined });
  });

  test("fields of the op replace those of the config", () => {
    const changed = withOp(config, {
      ...op,
      model: "other",
      instructions: "Be brief.",
      include_plan_tool: false,
    });

    expect(changed).toMatchObject({
      cwd: "/now",
      model: "other",
      base_instructions: "Be brief.",
      include_plan_tool: false,
    });
  });
});

describe("resumedConfig", () => {
  const turnContext = {
    cwd: "/then",
    model: "old",
    approval_policy: "never",
    sandbox_policy: { mode: "danger-full-access" },
    summary: "auto",
  };
  const resumed = (given: ConfigureSessionOp, context: unknown = turnContext) =>
    resumedConfig(config, { meta: { cwd: "/meta" }, turnContext: context } as never, given);

  test("the recorded folder and model continue, the policies are today's", () => {
    expect(resumed(op)).toEqual({ ...config, cwd: "/then", model: "old" });
  });

  test("the client's folder and model win", () => {
    expect(resumed({ ...op, cwd: "/mine", model: "mine" })).toMatchObject({
      cwd: "/mine",
      model: "mine",
    });
  });

  test("a conversation without a turn continues in the folder of its first line", () => {
    const { cwd, model } = resumedConfig(config, { meta: { cwd: "/meta" } } as never, op);

    expect({ cwd, model }).toEqual({ cwd: "/meta", model: "today" });
  });

  const asked = (given: ConfigureSessionOp) =>
    withRecordedPolicies(given, { turnContext } as never);

  test("the recorded policies are requested again only if the op keeps them", () => {
    expect(asked(op)).toEqual(op);
    expect(asked({ ...op, keeps_policies: true })).toMatchObject({
      approval_policy: "never",
      approvals_reviewer: "user",
      sandbox_policy: { mode: "danger-full-access" },
    });
  });

  test.each<[string, Partial<ConfigureSessionOp>, keyof ConfigureSessionOp]>([
    ["approval_policy", { approval_policy: "untrusted" }, "approval_policy"],
    ["a sandbox setting", { config: { sandbox_mode: "read-only" } }, "sandbox_policy"],
    ["default_permissions", { config: { default_permissions: "x" } }, "sandbox_policy"],
  ])("a policy that the op sets by %s is not taken from the record", (_, set, key) => {
    expect(asked({ ...op, keeps_policies: true, ...set })[key]).toBe(set[key]);
  });
});

describe("sessionMeta", () => {
  const clock = { now: () => 0 } as never;
  const engine = (era: string) => ({ originator: "quire", source: "cli", era: eraOf(era), clock });
  const meta = {
    id: "t1",
    config: { ...config, cwd: "/" },
    instructions: undefined,
    dynamicTools: [],
  };

  test("has the time, the folder and the program", () => {
    expect(sessionMeta(meta, engine("0.42"))).toEqual({
      id: "t1",
      timestamp: "1970-01-01T00:00:00.000Z",
      cwd: "/",
      originator: "quire",
      cli_version: eraOf("0.42").compatibleWith,
      instructions: null,
    });
  });

  test("newer eras add the source and the provider; tools of the client are recorded", () => {
    const tool = { name: "lookup", description: "", inputSchema: {} };

    expect(sessionMeta({ ...meta, dynamicTools: [tool] }, engine("current"))).toMatchObject({
      source: "cli",
      model_provider: "mock",
      dynamic_tools: [tool],
    });
  });
});
