import { describe, expect, test } from "vitest";
import { type NestingRules, nestedTools } from "../../src/cells/nested-tools.js";
import type { FunctionToolSpec, ToolSpec } from "../../src/protocol/types.js";

function tool(name: string, description = ""): FunctionToolSpec {
  const parameters = { type: "object", properties: {} };
  return { type: "function", name, description, strict: false, parameters };
}

function group(name: string, ...tools: string[]): ToolSpec {
  return { type: "namespace", name, description: "", tools: tools.map((one) => tool(one)) };
}

const custom = {
  type: "custom",
  name: "apply_patch",
  description: "Edits files",
  format: { type: "grammar", syntax: "lark", definition: "start: x" },
} as ToolSpec;
const search = { type: "web_search" } as ToolSpec;
const rules: NestingRules = { defersBeyond: 100, direct: [], excluded: [] };

const names = (specs: readonly ToolSpec[]) =>
  specs.map((spec) => ("name" in spec ? spec.name : spec.type));

function sort(specs: readonly ToolSpec[], changes: Partial<NestingRules> = {}) {
  const { nested, direct } = nestedTools(specs, [], { ...rules, ...changes });
  return { nested: [...nested.keys()], direct: names(direct) };
}

describe("the tools of scripts", () => {
  test.each<[string, ToolSpec[], string[], string[]]>([
    ["functions, by name", [tool("b"), tool("a")], ["a", "b"], []],
    ["custom tools", [custom], ["apply_patch"], []],
    ["tools of a namespace", [group("mcp__x", "b", "a")], ["mcp__x__a", "mcp__x__b"], []],
    ["no tools of a server of the model", [search], [], []],
    [
      "no questions to the user",
      [tool("request_user_input"), tool("request_user_input_async")],
      [],
      ["request_user_input", "request_user_input_async"],
    ],
    ["no agents", [group("collaboration", "spawn_agent")], [], ["collaboration"]],
    ["a clock without sleep", [group("clock", "now", "sleep")], ["clock__now"], ["clock"]],
    ["sleep of another namespace", [group("bed", "sleep")], ["bed__sleep"], []],
  ])("are %s", (_, specs, nested, direct) => {
    expect(sort(specs)).toEqual({ nested, direct });
  });

  test("the part of a namespace for the model itself has only its own tools", () => {
    const { direct } = nestedTools([group("clock", "now", "sleep")], [], rules);

    expect(direct).toEqual([group("clock", "sleep")]);
  });

  test.each([
    [["mcp__x"], ["mcp__y__b"], ["mcp__x"]],
    [["mcp"], [], ["mcp__x", "mcp__y"]],
    [["mcp__"], ["mcp__x__a", "mcp__y__b"], []],
    [["x"], ["mcp__x__a", "mcp__y__b"], []],
    [["mcp__x__a"], ["mcp__x__a", "mcp__y__b"], []],
  ])("the direct namespaces %j leave %j to scripts and %j to the model", (direct, left, own) => {
    const specs = [group("mcp__x", "a"), group("mcp__y", "b")];

    expect(sort(specs, { direct })).toEqual({ nested: left, direct: own });
  });

  test("an excluded namespace is for neither", () => {
    const specs = [group("mcp__x", "a"), tool("b")];

    expect(sort(specs, { excluded: ["mcp__x"] })).toEqual({ nested: ["b"], direct: [] });
  });

  test("a call goes to the tool as it is called directly", () => {
    const { nested } = nestedTools([group("mcp__x", "a"), custom, tool("b")], [], rules);

    expect(nested.get("mcp__x__a")).toMatchObject({
      kind: "function",
      toolName: "a",
      namespace: "mcp__x",
    });
    expect(nested.get("apply_patch")).toMatchObject({ kind: "custom", parameters: undefined });
    expect(nested.get("b")).not.toHaveProperty("namespace");
  });
});

describe("the descriptions of tools", () => {
  const many = group("mcp__x", "a", "b");

  test.each([
    [2, true],
    [1, false],
    [0, false],
  ])("with a limit of %d two deferrable tools are declared: %s", (defersBeyond, isDeclared) => {
    const { declarations, described } = nestedTools([tool("own"), many], [many], {
      ...rules,
      defersBeyond,
    });

    expect(declarations.includes("mcp__x__a(")).toBe(isDeclared);
    expect(declarations).toContain("own(");
    expect(described.map(({ name }) => name)).toEqual(["mcp__x__a", "mcp__x__b", "own"]);
  });

  test("a declaration has the description as a comment of one line", () => {
    const specs = [tool("a", "Reads\n  a file. "), tool("b")];

    expect(nestedTools(specs, [], rules).declarations).toBe(
      "  // Reads a file.\n  a(args: {}): Promise<unknown>;\n  b(args: {}): Promise<unknown>;",
    );
  });

  test("the list of all tools has the description and the declaration", () => {
    expect(nestedTools([custom], [], rules).described).toEqual([
      {
        name: "apply_patch",
        description: "Edits files\n\napply_patch(input: string): Promise<{}>;",
      },
    ]);
  });

  test("no tools have no declarations", () => {
    expect(nestedTools([], [], rules)).toMatchObject({
      direct: [],
      described: [],
      declarations: "",
    });
  });
});
