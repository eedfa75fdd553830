import { describe, expect, test } from "vitest";
import { costOf } from "../../src/model/prices.js";
import { groupUsage, usageTable } from "../../src/model/usage-costs.js";

const record = (fields: object = {}) => ({
  threadId: "t1",
  project: "/a",
  day: "2026-03-01",
  model: "gpt-5",
  responses: 1,
  input: 1_000_000,
  cachedInput: 0,
  output: 0,
  reasoning: 0,
  ...fields,
});

describe("the cost of tokens", () => {
  const price = { input: 2, cached_input: 0.5, output: 8 };

  test.each([
    [0, 0, 0, 0],
    [1_000_000, 0, 0, 2],
    [0, 0, 1_000_000, 8],
    [1_000_000, 1_000_000, 0, 0.5],
    [1_000_000, 400_000, 500_000, 1.2 + 0.2 + 4],
    [100, 200, 0, 0.0001],
    [1, 0, 1, 0.00001],
  ])("%d in, %d of them cached, %d out", (input, cachedInput, output, cost) => {
    expect(costOf({ input, cachedInput, output }, price)).toBeCloseTo(cost, 12);
  });
});

describe("usage by group", () => {
  test("no records are no rows and a total of nothing", () => {
    expect(groupUsage([], "day")).toEqual({
      rows: [],
      total: {
        key: "total",
        responses: 0,
        inputTokens: 0,
        cachedInputTokens: 0,
        outputTokens: 0,
        reasoningOutputTokens: 0,
        totalTokens: 0,
        cost: 0,
        unpricedModels: [],
      },
    });
  });

  test.each([
    ["day", ["2026-03-01", "2026-03-02"]],
    ["model", ["gpt-5", "o3"]],
    ["project", ["/a", "/b"]],
    ["thread", ["t1", "t2"]],
  ] as const)("by %s has the rows %j, in their order", (by, keys) => {
    const other = { day: "2026-03-02", model: "o3", project: "/b", threadId: "t2" };
    const { rows } = groupUsage([record(other), record(), record()], by);

    expect(rows.map(({ key, responses }) => [key, responses])).toEqual([
      [keys[0], 2],
      [keys[1], 1],
    ]);
  });

  test("reasoning is part of the output, and cached input of the input", () => {
    const all = record({ input: 10, cachedInput: 4, output: 5, reasoning: 3 });

    expect(groupUsage([all], "day").total).toMatchObject({
      inputTokens: 10,
      cachedInputTokens: 4,
      outputTokens: 5,
      reasoningOutputTokens: 3,
      totalTokens: 15,
    });
  });

  test("a model without a price makes the cost of its row, and of the total, unknown", () => {
    const records = [
      record({ model: "x" }),
      record(),
      record({ model: "x" }),
      record({ model: "y" }),
    ];
    const { rows, total } = groupUsage(records, "model");

    expect(rows.map(({ key, cost, unpricedModels }) => [key, cost, unpricedModels])).toEqual([
      ["gpt-5", 1.25, []],
      ["x", null, ["x"]],
      ["y", null, ["y"]],
    ]);
    expect(total).toMatchObject({ cost: null, unpricedModels: ["x", "y"] });
  });

  test("prices of the config complete and replace the known ones", () => {
    const prices = { x: { input: 3, output: 1 }, "gpt-5": { input: 2 } };
    const { rows, total } = groupUsage([record({ model: "x" }), record()], "model", prices);

    expect(rows.map(({ cost }) => cost)).toEqual([2, 3]);
    expect(total.cost).toBe(5);
  });
});

describe("the table of usage", () => {
  const table = (records: ReturnType<typeof record>[], by: "day" | "project" = "day") =>
    usageTable(by, groupUsage(records, by)).split("\n");

  test("has aligned columns and the total", () => {
    const records = [record(), record({ day: "2026-03-02", input: 5, output: 7 })];

    expect(table(records)).toEqual([
      "day         responses    input  cached  output    total   cost",
      "2026-03-01          1  1000000       0       0  1000000  $1.25",
      "2026-03-02          1        5       0       7       12  $0.00",
      "total               2  1000005       0       7  1000012  $1.25",
      "",
    ]);
  });

  test("names the models without a price, and how to set one", () => {
    const lines = table([record({ model: "x" }), record({ model: "y" })]);

    expect(lines.at(1)).toMatch(/\s\?$/);
    expect(lines.at(-2)).toBe('Price not known: x, y. Set it in config.toml: [model_prices."x"]');
  });

  test("shows a question mark for a thread without a directory", () => {
    expect(table([record({ project: "" })], "project")[1]).toMatch(/^\? /);
  });

  test("of nothing has only the head and the total", () => {
    expect(table([])).toEqual([
      "day    responses  input  cached  output  total   cost",
      "total          0      0       0       0      0  $0.00",
      "",
    ]);
  });
});
