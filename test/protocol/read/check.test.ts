import { describe, expect, test } from "vitest";
import {
  assertDepth,
  changeFields,
  isRecord,
  MAX_DEPTH,
  parseRecord,
  properFields,
  renameFields,
  spelled,
  withoutNulls,
} from "../../../src/protocol/read/check.js";

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [null, false],
  [[], false],
  ["{}", false],
  [undefined, false],
])("isRecord(%j) is %s", (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ["[1]", undefined],
  ["null", undefined],
  ["{", undefined],
  ["", undefined],
])("parseRecord(%j) is %j", (text, expected) => {
  expect(parseRecord(text)).toEqual(expected);
});

describe("copies of records", () => {
  const hostile = JSON.parse('{"a": 1, "b": null, "__proto__": {"polluted": true}}') as object;

  test.each([
    ["withoutNulls", (record: object) => withoutNulls({ ...record })],
    ["changeFields", (record: object) => changeFields(record as never, (_, value) => value)],
    ["renameFields", (record: object) => renameFields(record as never, {})],
    ["properFields", (record: object) => properFields(record as never, {})],
  ])("%s never copies __proto__ and leaves the original as it is", (_, copy) => {
    const before = JSON.stringify(hostile);

    const result = copy(hostile);

    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).not.toContain("__proto__");
    expect(JSON.stringify(hostile)).toBe(before);
  });

  test("changeFields omits fields that become undefined", () => {
    const result = changeFields({ a: 1, b: 2 }, (name, value) =>
      name === "a" ? undefined : Number(value) * 10,
    );

    expect(result).toEqual({ b: 20 });
  });

  test.each([
    [{ networkAccess: true }, { network_access: true }],
    [{ networkAccess: true, network_access: false }, { network_access: false }],
    [{ network_access: false, networkAccess: true }, { network_access: false }],
    [{ other: 1, networkAccess: null }, { other: 1 }],
  ])("properFields renames aliases of %j to %j", (record, expected) => {
    expect(properFields(record, { networkAccess: "network_access" })).toEqual(expected);
  });

  test("renameFields keeps nulls", () => {
    expect(renameFields({ a: null, old: null }, { old: "new" })).toEqual({ a: null, new: null });
  });
});

describe("spelled", () => {
  const table = { readonly: "read-only", never: "never" };

  test.each([
    ["read-only", "read-only"],
    ["readOnly", "read-only"],
    ["READ_ONLY", "read-only"],
    ["read only", "read-only"],
    ["Never", "never"],
    ["sometimes", "sometimes"],
    ["constructor", "constructor"],
    [5, 5],
    [null, null],
  ])("%j is %j", (value, expected) => {
    expect(spelled(table, value)).toBe(expected);
  });

  test("does not search words that are longer than any known one", () => {
    const word = `never${"-".repeat(100)}`;

    expect(spelled(table, word)).toBe(word);
  });
});

describe("assertDepth", () => {
  const nested = (depth: number, wrap: (inner: unknown) => unknown) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = wrap(value);
    return value;
  };

  test.each([
    ["lists", (inner: unknown) => [inner]],
    ["objects", (inner: unknown) => ({ inner })],
    ["both", (inner: unknown) => [{ inner }]],
  ])("refuses %s below the limit, and not at it", (_, wrap) => {
    const step = JSON.stringify(wrap(1)).match(/[[{]/g)?.length ?? 1;
    const deepest = MAX_DEPTH / step;

    expect(() => assertDepth(nested(deepest, wrap))).not.toThrow();
    expect(() => assertDepth(nested(deepest + 1, wrap))).toThrow(
      "The message is nested more than 128 levels deep; send a flatter one.",
    );
  });

  test.each([1, "text", null, undefined, true])("accepts %j", (value) => {
    expect(() => assertDepth(value)).not.toThrow();
  });
});
