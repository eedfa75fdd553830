import { describe, expect, test } from "vitest";
import {
  copyTable,
  isTable,
  newTable,
  parseToml,
  putAt,
  removeAt,
  valueAt,
} from "../../../src/config/toml/table.js";

test.each([
  [{}, true],
  [newTable(), true],
  [[], false],
  [new Date(0), false],
  [null, false],
  [undefined, false],
  ["x", false],
  [1n, false],
])("%s is a table: %s", (value, is) => {
  expect(isTable(value)).toBe(is);
});

describe("a value at a path", () => {
  const table = { a: { b: { c: 1 } }, list: [1], empty: {} };

  test.each([
    [["a", "b", "c"], 1],
    [["a", "b"], { c: 1 }],
    [[], table],
    [["a", "x"], undefined],
    [["list", "0"], undefined],
    [["toString"], undefined],
    [["a", "constructor"], undefined],
  ])("%j is found", (path, value) => {
    expect(valueAt(table, path)).toEqual(value);
  });

  test.each([
    [{}, ["a"], { a: 9 }],
    [{}, ["a", "b"], { a: { b: 9 } }],
    [{ a: { x: 1 } }, ["a", "b"], { a: { x: 1, b: 9 } }],
    [{ a: 1 }, ["a", "b"], { a: { b: 9 } }],
    [{ a: [1] }, ["a", "b"], { a: { b: 9 } }],
    [{ a: 1 }, [], { a: 1 }],
  ])("is set in %j at %j", (values, path, result) => {
    const copy = copyTable(values);
    putAt(copy, path, 9);

    expect(copy).toEqual(Object.assign(newTable(), result));
  });

  test("of the name of a prototype is an ordinary key", () => {
    const copy = newTable();
    putAt(copy, ["__proto__", "polluted"], true);

    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(valueAt(copy, ["__proto__", "polluted"])).toBe(true);
  });

  test.each([
    [["a", "b", "c"], { a: { b: {} }, x: 1 }],
    [["a"], { x: 1 }],
    [["none", "b"], { a: { b: { c: 1 } }, x: 1 }],
    [["x", "y"], { a: { b: { c: 1 } }, x: 1 }],
  ])("%j is removed", (path, rest) => {
    const copy = copyTable({ a: { b: { c: 1 } }, x: 1 });
    removeAt(copy, path);

    expect(JSON.parse(JSON.stringify(copy))).toEqual(rest);
  });
});

test("a copy shares neither tables nor lists", () => {
  const original = { a: { b: [1, { c: 2 }] } };
  const copy = copyTable(original) as typeof original;
  copy.a.b.push(3);
  (copy.a.b[1] as { c: number }).c = 9;

  expect(original).toEqual({ a: { b: [1, { c: 2 }] } });
});

describe("TOML", () => {
  test("with large integers keeps them exact", async () => {
    const { small, large } = await parseToml("small = 1\nlarge = 9007199254740993", "f");

    expect([small, large]).toEqual([1, 9007199254740993n]);
  });

  test.each([
    ["a = ", /^f:1:\d+: /],
    ["a = 1\nb = [", /^f:2:\d+: /],
    ["a = 1\na = 2", /^f:2:\d+: /],
    ["[t\n", /^f:1:\d+: /],
  ])("that is broken, as %j, is an error with the position", async (text, message) => {
    await expect(parseToml(text, "f")).rejects.toThrow(message);
    await expect(parseToml(text, "f")).rejects.toMatchObject({ code: "config" });
  });
});
