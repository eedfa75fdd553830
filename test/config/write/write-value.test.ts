import { expect, test } from "vitest";
import type { Shape } from "../../../src/config/check/shape.js";
import { parseToml } from "../../../src/config/toml/table.js";
import { writeValue } from "../../../src/config/write/write-value.js";

test.each([
  ["text", '"text"'],
  ['a "b" \\ \n', '"a \\"b\\" \\\\ \\n"'],
  [true, "true"],
  [7, "7"],
  [-1.5, "-1.5"],
  [9007199254740993n, "9007199254740993"],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [[], "[]"],
  [["a", 1, false], '["a", 1, false]'],
  [[["x"], []], '[["x"], []]'],
  [{}, "{}"],
  [{ a: 1, "b c": "x" }, '{ a = 1, "b c" = "x" }'],
  [{ a: { b: [1] } }, "{ a = { b = [1] } }"],
])("%s is written as %s, and read as the same", async (value, text) => {
  expect(writeValue(value)).toBe(text);
  const { x } = await parseToml(`x = ${text}`, "f");
  expect(JSON.stringify(x, plain)).toBe(JSON.stringify(value, plain));
});

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

test.each<[unknown, Shape, string]>([
  [10, { type: "number" }, "10.0"],
  [10.5, { type: "number" }, "10.5"],
  [10, { type: "integer" }, "10"],
  [[1, 2], { items: { type: "number" } }, "[1.0, 2.0]"],
])("%j of the shape %j is written as %s", (value, shape, text) => {
  expect(writeValue(value, shape)).toBe(text);
});

test.each([undefined, null, () => 1, Symbol("x")])("%s cannot be written", (value) => {
  expect(() => writeValue(value)).toThrow("cannot be written");
});
