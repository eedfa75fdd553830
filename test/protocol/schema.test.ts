import Type, { type TSchema } from "typebox";
import { expect, test } from "vitest";
import { collectDefinitions, type JsonSchema } from "../../scripts/generate/definitions.js";
import { roots } from "../../scripts/generate/surfaces.js";
import * as protocol from "../../src/protocol/index.js";
import { described, Nullish, taggedUnion } from "../../src/protocol/schema.js";

test("every shape and every field is described, tags aside", () => {
  const definitions = collectDefinitions(roots);

  const silent = [...definitions].flatMap(([name, schema]) => silentParts(name, schema));

  expect(silent).toEqual([]);
});

test("a schema is exported under its own name", () => {
  const named = Object.entries(protocol as Record<string, unknown>).filter(
    (entry): entry is [string, TSchema & { $id: string }] =>
      typeof entry[1] === "object" && entry[1] !== null && "$id" in entry[1],
  );

  expect(named.length).toBeGreaterThan(100);
  for (const [name, schema] of named) expect(schema.$id).toBe(name);
});

test("no schema forbids fields it does not know", () => {
  const text = JSON.stringify([...collectDefinitions(roots)]);

  expect(text).not.toContain('"additionalProperties":false');
});

test("a field keeps its own description beside the shared one", () => {
  const Shared = Type.Enum(["a"], { $id: "Shared", description: "The shared text." });
  const Holder = Type.Object({ field: described(Shared, "The field's text.") }, { $id: "Holder" });

  const definitions = collectDefinitions([Holder]);

  expect(definitions.get("Holder")?.properties).toEqual({
    field: { $ref: "Shared", description: "The field's text." },
  });
  expect(definitions.get("Shared")?.description).toBe("The shared text.");
});

test("a tagged union names its tag and its members", () => {
  const A = Type.Object({ kind: Type.Literal("a") }, { $id: "A" });
  const Union = taggedUnion("Union", "kind", [A], "Text.");

  expect(collectDefinitions([Union]).get("Union")).toEqual({
    type: "object",
    description: "Text.",
    discriminator: { propertyName: "kind" },
    oneOf: [{ $ref: "A" }],
  });
});

test("a nullish field is optional and may be null", () => {
  const Holder = Type.Object({ field: Nullish(Type.String()) }, { $id: "Holder" });

  expect(collectDefinitions([Holder]).get("Holder")).toEqual({
    type: "object",
    properties: { field: { anyOf: [{ type: "string" }, { type: "null" }] } },
  });
});

function silentParts(name: string, schema: JsonSchema): string[] {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    .filter(([, field]) => field.const === undefined && !field.description)
    .map(([field]) => `${name}.${field}`);
  return schema.description ? fields : [name, ...fields];
}
