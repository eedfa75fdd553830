import { describe, expect, test } from "vitest";
import type { Protocol, Schema } from "../../../src/cli/schema/app-server-schema.js";
import { toJsonSchemaFiles } from "../../../src/cli/schema/to-json-schema.js";
import { toTypeScriptFiles } from "../../../src/cli/schema/to-typescript.js";

/** A protocol with one v2 shape, and one method that uses it. */
function protocol(shape: Schema): Protocol {
  return {
    v1: { messages: [], $defs: { Old: { type: "string" } } },
    v2: {
      messages: [
        { kind: "method", name: "thing/get", summary: "Gets.", params: "Thing", result: "Thing" },
        {
          kind: "method",
          name: "thing/none",
          summary: "None.",
          params: "NoParams",
          result: "Thing",
        },
        { kind: "notification", name: "codex/event/*", summary: "Event.", params: "Thing" },
      ],
      $defs: { Thing: shape, Other: { type: "boolean" }, NoParams: { type: "object" } },
    },
  };
}

/** The declaration of the shape, without the notice and imports. */
function typeOf(shape: Schema): string {
  const text = toTypeScriptFiles(protocol(shape)).get("v2/Thing.ts") ?? "";
  return text.slice(text.indexOf("export type Thing = ") + "export type Thing = ".length, -2);
}

describe("TypeScript", () => {
  test.each<[Schema, string]>([
    [{ type: "string" }, "string"],
    [{ type: "integer" }, "number"],
    [{ type: "null" }, "null"],
    [{ const: "a" }, '"a"'],
    [{ enum: ["a", 1] }, '"a" | 1'],
    [{ $ref: "#/$defs/Other" }, "Other"],
    [{ type: "array", items: { $ref: "#/$defs/Other" } }, "Array<Other>"],
    [{ type: "array" }, "Array<unknown>"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, "1 | 2"],
    [{}, "unknown"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: { type: "string" } }, "{ [key: string]: string }"],
    [
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      "{\n  a: string;\n}",
    ],
    [
      { type: "object", properties: { "a-b": { type: "number" } } },
      '{\n  "a-b"?: number | null;\n}',
    ],
    [
      {
        type: "object",
        properties: { a: { type: "object", properties: { b: { const: true } } } },
        required: ["a"],
      },
      "{\n  a: {\n    b?: true | null;\n  };\n}",
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string", description: "Ends */ here." } },
        required: ["a"],
      },
      "{\n  /** Ends *\\/ here. */\n  a: string;\n}",
    ],
  ])("of %j", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  test("has unions of messages, and the result of each method", () => {
    const files = toTypeScriptFiles(protocol({ type: "string" }));

    expect(files.get("ClientRequest.ts")).toContain(
      '  | { method: "thing/get"; id: RequestId; params: Thing }\n' +
        '  | { method: "thing/none"; id: RequestId; params?: NoParams | null };',
    );
    expect(files.get("ServerNotification.ts")).toContain(
      `  | { method: \`codex/event/\${string}\`; params: Thing };`,
    );
    expect(files.get("ClientRequestResults.ts")).toContain(
      '  /** Gets. */\n  "thing/get": Thing;\n',
    );
    expect(files.get("index.ts")).toContain('export * as v2 from "./v2/index.js";');
    expect(files.get("Old.ts")).toContain("export type Old = string;");
  });

  test("imports the shapes that a type refers to, except itself", () => {
    const shape = {
      anyOf: [{ $ref: "#/$defs/Other" }, { type: "array", items: { $ref: "#/$defs/Thing" } }],
    };
    const text = toTypeScriptFiles(protocol(shape)).get("v2/Thing.ts");

    expect(text).toContain('import type { Other } from "./Other.js";\n');
    expect(text).not.toContain("import type { Thing }");
  });
});

describe("JSON Schema", () => {
  const files = toJsonSchemaFiles(
    protocol({ type: "array", items: { $ref: "#/$defs/Other" }, description: "Things." }),
  );
  const read = (name: string) => JSON.parse(files.get(name) ?? "null");

  test("of a shape contains the shapes that it refers to", () => {
    expect(read("v2/Thing.json")).toEqual({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Thing",
      type: "array",
      items: { $ref: "#/definitions/Other" },
      description: "Things.",
      definitions: { Other: { type: "boolean" } },
    });
    expect(read("v2/Other.json")).not.toHaveProperty("definitions");
  });

  test("of messages has the method, and an id for requests", () => {
    expect(read("ClientRequest.json").oneOf[0]).toEqual({
      type: "object",
      description: "Gets.",
      properties: {
        id: { type: ["string", "integer"] },
        method: { const: "thing/get" },
        params: { $ref: "#/definitions/v2/Thing" },
      },
      required: ["id", "method"],
    });
    expect(read("ServerNotification.json").oneOf[0]).toMatchObject({
      properties: { method: { pattern: "^codex/event/" } },
      required: ["method"],
    });
  });

  test("of everything is in two files", () => {
    const all = read("codex_app_server_protocol.schemas.json");

    expect(Object.keys(all.definitions)).toEqual(["Old", "v2"]);
    expect(Object.keys(read("codex_app_server_protocol.v2.schemas.json").definitions)).toEqual([
      "Thing",
      "Other",
      "NoParams",
    ]);
  });
});
