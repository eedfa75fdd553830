import fc from "fast-check";
import { expect, test } from "vitest";
import { qualifyNames } from "../../src/mcp/index.js";

test.each([
  ["server", "a.b", "c d", ["a_b__c_d"]],
  ["mcp", "a.b", "c d", ["mcp__a_b__c_d"]],
  ["mcp", "s", "é😀", ["mcp__s____"]],
  ["namespace", "a.b", "c d", ["mcp__a_b__c_d"]],
] as const)("in the form %s, %s and %s are named for the model", (form, server, tool, expected) => {
  expect([...qualifyNames([{ server, tool }], form).keys()]).toEqual(expected);
});

test("long names are cut and kept distinct by a hash of the whole name", () => {
  const tool = "t".repeat(80);

  const names = [
    ...qualifyNames(
      [
        { server: "s", tool },
        { server: "s", tool: `${tool}2` },
      ],
      "mcp",
    ),
  ];

  expect(names.map(([name]) => name)).toEqual([
    expect.stringMatching(/^mcp__s__t{16}[0-9a-f]{40}$/),
    expect.stringMatching(/^mcp__s__t{16}[0-9a-f]{40}$/),
  ]);
});

test("in namespaces both get a piece of their hash instead", () => {
  const tools = [
    { server: "s", tool: "a.b" },
    { server: "s", tool: "a_b" },
    { server: "s", tool: "c" },
  ];

  const named = [...qualifyNames(tools, "namespace").values()].map(({ name }) => name);

  expect(named).toEqual([
    inNamespace("mcp__s", expect.stringMatching(/^a_b_[0-9a-f]{12}$/)),
    inNamespace("mcp__s", expect.stringMatching(/^a_b_[0-9a-f]{12}$/)),
    inNamespace("mcp__s", "c"),
  ]);
});

test("servers whose namespaces would be the same get namespaces of their own", () => {
  const tools = [
    { server: "a.b", tool: "t" },
    { server: "a_b", tool: "t" },
  ];

  const namespaces = [...qualifyNames(tools, "namespace").values()].map(
    ({ name }) => name.namespace,
  );

  expect(new Set(namespaces).size).toBe(2);
});

test("for any server and tool names, the results are unique and valid for models", () => {
  const tool = fc.record({
    server: fc.string({ unit: "grapheme" }),
    tool: fc.string({ maxLength: 200 }),
  });
  const form = fc.constantFrom("server" as const, "mcp" as const, "namespace" as const);

  fc.assert(
    fc.property(fc.array(tool), form, (tools, wanted) => {
      const longest = wanted === "namespace" ? 128 : 64;
      for (const [key, { name }] of qualifyNames(tools, wanted)) {
        expect(key).toBe(name.qualified);
        expect(key).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(key.length).toBeLessThanOrEqual(longest);
        if (wanted === "namespace") expect(key).toBe(`${name.namespace}__${name.name}`);
      }
    }),
  );
});

function inNamespace(namespace: string, name: string) {
  return { namespace, name, qualified: expect.stringMatching(`^${namespace}__`) };
}

test.each(["server", "mcp", "namespace"] as const)(
  "[documents D15] two tools whose names become the same both stay callable, in form %s",
  (form) => {
    const tools = [
      { server: "todo", tool: "plan_update" },
      { server: "todo", tool: "plan/update" },
    ];

    const named = qualifyNames(tools, form);
    const reversed = qualifyNames([...tools].reverse(), form);

    expect(named.size).toBe(2);
    expect([...named.values()].map(({ tool }) => tool)).toEqual(tools);
    expect([...reversed.keys()].sort()).toEqual([...named.keys()].sort());
  },
);

test("[documents D15] names that become equal at the delimiter stay distinct", () => {
  const tools = [
    { server: "a__b", tool: "c" },
    { server: "a", tool: "b__c" },
  ];

  expect(qualifyNames(tools, "mcp").size).toBe(2);
});
