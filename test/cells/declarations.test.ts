import { expect, test } from "vitest";
import { declarationOf } from "../../src/cells/declarations.js";

function typeOf(schema: unknown): string {
  const parameters = { type: "object", properties: { x: schema }, required: ["x"] };
  const text = declarationOf({ name: "t", description: "", parameters });
  return /^t\(args: \{\n {2}x: (.*);\n\}\): Promise<unknown>;$/s.exec(text)?.[1] ?? text;
}

test.each([
  [{ type: "string" }, "string"],
  [{ type: "integer" }, "number"],
  [{ type: "array", items: { type: "string" } }, "string[]"],
  [{ type: "array", items: { enum: ["a", 1] } }, '("a" | 1)[]'],
  [{ type: ["string", "null"] }, "string | null"],
  [{ anyOf: [{ type: "boolean" }, { const: 5 }] }, "boolean | 5"],
  [
    { type: "object", additionalProperties: { type: "number" } },
    "{\n    [key: string]: number;\n  }",
  ],
  [{ type: "object" }, "{}"],
  [{ $ref: "#/x" }, "unknown"],
  [true, "unknown"],
])("%j is %s", (schema, expected) => {
  expect(typeOf(schema)).toBe(expected);
});

test("parameters have their descriptions, and only required ones have no question mark", () => {
  const properties = {
    path: { type: "string", description: "Where\nit is." },
    "a-b": { type: "number" },
  };
  const parameters = { type: "object", properties, required: ["path"] };

  expect(declarationOf({ name: "mcp__files__read", description: "", parameters })).toBe(
    "mcp__files__read(args: {\n" +
      "  // Where it is.\n" +
      "  path: string;\n" +
      '  "a-b"?: number;\n' +
      "}): Promise<{ content: object[]; structuredContent?: unknown; isError?: boolean }>;",
  );
});

test("a schema without an end is cut", () => {
  const endless: Record<string, unknown> = { type: "array" };
  endless.items = endless;

  expect(typeOf(endless)).toMatch(/^unknown(\[\])+$/);
});
