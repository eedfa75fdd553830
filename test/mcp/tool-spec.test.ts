import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReducedSchema, toToolSpec } from "../../src/mcp/index.js";
import { reduceParameters } from "../../src/mcp/tool-spec.js";

test.each<[string, unknown, unknown]>([
  ["a boolean schema", false, { type: "string" }],
  ["no schema at all", 7, { type: "string" }],
  ["an integer", { type: "integer", minimum: 0 }, { type: "number" }],
  ["an unknown type", { type: "null" }, { type: "string" }],
  ["a name that objects have by nature", { type: "constructor" }, { type: "string" }],
  ["a list of types", { type: ["null", "integer", "string"] }, { type: "number" }],
  ["types that are all unknown", { type: ["null"], items: {} }, array({ type: "string" })],
  ["only properties", { properties: null }, { type: "object", properties: {} }],
  ["only prefixItems", { prefixItems: [{ type: "number" }] }, array({ type: "string" })],
  ["only a bound", { multipleOf: 2 }, { type: "number" }],
  ["a reference", { $ref: "#/x", description: "d" }, { type: "string", description: "d" }],
  ["a list without items", { type: "array" }, array({ type: "string" })],
  [
    "an object in an object",
    {
      type: "object",
      title: "dropped",
      description: "kept",
      properties: { inner: { required: ["x", 3], properties: { x: { enum: ["a"] } } } },
      additionalProperties: false,
    },
    {
      type: "object",
      description: "kept",
      properties: {
        inner: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
      },
      additionalProperties: false,
    },
  ],
  [
    "a schema for further properties",
    { additionalProperties: { type: "integer" } },
    { type: "object", properties: {}, additionalProperties: { type: "number" } },
  ],
])("%s is reduced", (_what, schema, expected) => {
  expect(reduced(schema)).toEqual(expected);
});

test("the arguments of a tool are always an object", () => {
  const parametersOf = (inputSchema: unknown) =>
    toToolSpec("n", { name: "t", inputSchema }).parameters;

  expect([{}, { type: "array" }, { type: "object" }].map(parametersOf)).toEqual(
    Array(3).fill({ type: "object", properties: {} }),
  );
});

test("a property may have any name", () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}');

  expect(JSON.stringify(reduced(schema))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"number"}}}',
  );
});

test("a schema that goes too deep is cut, not followed", () => {
  let schema: unknown = { type: "integer" };
  for (let depth = 0; depth < 100_000; depth++) schema = { items: schema };

  let depth = 0;
  for (let at: ReducedSchema = reduced(schema); at.type === "array"; at = at.items) depth++;

  expect(depth).toBeLessThan(50);
});

test("whatever a schema is, all of the reduced one has a type that models know", () => {
  const keys = fc.constantFrom("type", "properties", "items", "required", "enum", "anyOf", "x");
  const schema = fc.letrec((tie) => ({
    any: fc.oneof(fc.jsonValue(), fc.dictionary(keys, tie("any"), { maxKeys: 4 })),
  })).any;

  fc.assert(
    fc.property(schema, (value) => {
      const result = reduced(value);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      checkTypes(result);
    }),
  );
});

/** Reduces the schema of a property. */
function reduced(schema: unknown): ReducedSchema {
  return reduceParameters({ properties: { it: schema } }).properties.it as ReducedSchema;
}

function array(items: ReducedSchema): ReducedSchema {
  return { type: "array", items };
}

function checkTypes(schema: ReducedSchema): void {
  expect(["boolean", "string", "number", "array", "object"]).toContain(schema.type);
  if (schema.type === "array") checkTypes(schema.items);
  if (schema.type === "object") Object.values(schema.properties).map(checkTypes);
}
