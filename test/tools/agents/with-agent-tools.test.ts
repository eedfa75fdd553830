import { describe, expect, test } from "vitest";
import type { NamespaceToolSpec, ToolSpec } from "../../../src/protocol/types.js";
import { withAgentTools } from "../../../src/tools/agents/with-agent-tools.js";
import type { ToolTurn } from "../../../src/tools/tool.js";
import type { ToolBox } from "../../../src/tools/tool-box.js";

const own: ToolSpec = {
  type: "function",
  name: "own",
  description: "",
  strict: false,
  parameters: { type: "object", properties: {} },
};
const found: unknown[] = [];
const box = {
  offered: () => [own],
  deferrable: () => [own],
  find: (...key: unknown[]) => {
    found.push(key);
    return undefined;
  },
} as unknown as ToolBox;
const turn = {} as ToolTurn;

const namesIn = (specs: readonly ToolSpec[] | undefined) =>
  specs?.map((spec) => ("name" in spec ? spec.name : spec.type));

describe("the tools of helper agents in a box", () => {
  test.each([
    [undefined, ["own"], ["own"]],
    ["v1", ["own", "multi_agent_v1"], ["own", "multi_agent_v1"]],
    ["v2", ["own", "collaboration"], ["own"]],
  ] as const)("generation %s offers %j and can defer %j", (generation, offered, deferred) => {
    const all = withAgentTools(box, () => generation);

    expect(namesIn(all.offered(turn))).toEqual(offered);
    expect(namesIn(all.deferrable?.(turn))).toEqual(deferred);
  });

  test.each([
    ["function", "spawn_agent", "collaboration", true],
    ["function", "followup_task", "collaboration", true],
    ["function", "send_input", "multi_agent_v1", true],
    ["function", "send_input", "collaboration", false],
    ["function", "followup_task", "multi_agent_v1", false],
  ] as const)("a %s %s of %s is found: %s", (kind, name, namespace, expected) => {
    found.length = 0;

    expect(withAgentTools(box, () => "v1").find(kind, name, namespace) !== undefined).toBe(
      expected,
    );
    expect(found).toEqual([]);
  });

  test.each([
    ["function", "spawn_agent", undefined],
    ["custom", "spawn_agent", "collaboration"],
    ["function", "x", "mcp__x"],
  ] as const)("a %s %s of %s is that of the box", (kind, name, namespace) => {
    found.length = 0;
    withAgentTools(box, () => "v2").find(kind, name, namespace);

    expect(found).toEqual([[kind, name, namespace]]);
  });

  test("no schema has an empty list of required fields", () => {
    const specs = (["v1", "v2"] as const).map((one) =>
      withAgentTools(box, () => one).offered(turn),
    );

    expect(JSON.stringify(specs)).not.toContain('"required":[]');
  });

  test("roles are a choice of the tool that starts agents, and of no other", () => {
    const roles = [
      { name: "reviewer", description: "Reads code" },
      { name: "plain", description: undefined },
    ];
    for (const generation of ["v1", "v2"] as const) {
      const specs = withAgentTools(box, () => generation, roles).offered(turn);
      const tools = (specs.at(-1) as NamespaceToolSpec).tools;
      const types = tools.map(({ name, parameters }) => [
        name,
        (parameters as { properties: Record<string, unknown> }).properties.agent_type,
      ]);

      expect(Object.fromEntries(types)).toMatchObject({
        spawn_agent: {
          type: "string",
          description: "Role of the agent; by default none.\nreviewer: Reads code\nplain",
        },
      });
      expect(types.filter(([, type]) => type !== undefined)).toHaveLength(1);
    }
  });

  test("without roles there is no choice, and an empty list of required fields is left out", () => {
    const specs = withAgentTools(box, () => "v2").offered(turn);
    const tools = (specs.at(-1) as NamespaceToolSpec).tools;

    for (const { parameters } of tools) {
      expect(Object.keys((parameters as { properties: object }).properties)).not.toContain(
        "agent_type",
      );
      expect((parameters as { required?: string[] }).required).not.toEqual([]);
    }
    const list = tools.find(({ name }) => name === "list_agents");
    expect(list?.parameters).not.toHaveProperty("required");
  });
});
