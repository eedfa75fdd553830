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
  [{ type: "number" }, "number"],
  [{ type: "boolean" }, "boolean"],
  [{ type: "null" }, "null"],
  [{ type: "array" }, "unknown[]"],
  [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
  [{ type: "array", items: { type: "array", items: { type: "integer" } } }, "number[][]"],
  [{ type: ["array", "null"], items: { type: "string" } }, "string[] | null"],
  [{ enum: ["a", "b"], type: "string" }, '"a" | "b"'],
  [{ enum: ["a", null], type: ["string", "null"] }, '"a" | null'],
  [{ enum: ['quote"'] }, '"quote\\""'],
  [{ enum: [] }, "never"],
  [{ anyOf: [] }, "never"],
  [{ const: null }, "null"],
  [{ const: false }, "false"],
  [{ oneOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  [{ properties: { a: { type: "string" } } }, "{\n    a?: string;\n  }"],
  [
    { type: "object", properties: { a: {} }, required: ["a"], additionalProperties: true },
    "{\n    a: unknown;\n    [key: string]: unknown;\n  }",
  ],
  [{ type: "object", additionalProperties: false }, "{}"],
  [{ type: "object", properties: { "": { type: "null" } } }, '{\n    ""?: null;\n  }'],
  [{ type: "object", properties: [], required: "a" }, "{}"],
  [{ type: "date" }, "unknown"],
  [{ type: 5 }, "unknown"],
  [{}, "unknown"],
  [null, "unknown"],
  ["string", "unknown"],
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

test.each([
  ["exec_command", "{ chunk_id: string; wall_time_seconds: number;"],
  ["write_stdin", "session_id?: number;"],
  ["view_image", "{ image_url: string; detail: string | null }"],
  ["apply_patch", "{}"],
  ["mcp__x__y", "structuredContent?: unknown;"],
  ["toString", "unknown"],
])("the result of %s is %s", (name, type) => {
  const text = declarationOf({ name, description: "", parameters: { type: "object" } });

  expect(text.startsWith(`${name}(args: {}): Promise<`)).toBe(true);
  expect(text).toContain(type);
});

test.each([
  ["a-b", '"a-b"(input: string)'],
  ["1a", '"1a"(input: string)'],
  ["$a_1", "$a_1(input: string)"],
  ["é", '"é"(input: string)'],
])("the name %s is declared as %s", (name, expected) => {
  expect(declarationOf({ name, description: "", parameters: undefined })).toBe(
    `${expected}: Promise<unknown>;`,
  );
});
