import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { withComments, withFields } from "../../scripts/document-types.mjs";
import * as protocol from "../../src/protocol/index.js";

test("[embedding R6] a schema that is declared gets its description, once", () => {
  const text = [
    'import Type, { type Static } from "typebox";',
    "export declare const A: Type.TObject<{}>;",
    "/** Has one already. */",
    "export declare const B: Type.TObject<{}>;",
    "export declare const limit: number;",
    "",
  ].join("\n");
  const schemas = { A: { description: "An a." }, B: { description: "A b." }, limit: 5 };

  const documented = withComments(text, schemas);

  expect(documented).toBe(
    text.replace("export declare const A", "/** An a. */\nexport declare const A"),
  );
  expect(withComments(documented, schemas)).toBe(documented);
});

test("[embedding R6] the type of a schema gets its fields with their descriptions", () => {
  const text =
    "export interface A extends Static<typeof A> {\n}\nexport interface B extends A {\n}\n";
  const described = { description: "A name." };
  const A = { properties: { name: described, size: described, bare: {} }, required: ["name"] };

  const documented = withFields(text, { A, B: A });

  expect(documented).toBe(
    [
      "export interface A extends Static<typeof A> {",
      "    /** A name. */",
      '    name: Static<typeof A>["name"];',
      "    /** A name. */",
      '    size?: Required<Static<typeof A>>["size"];',
      "}",
      "export interface B extends A {\n}\n",
    ].join("\n"),
  );
});

test("[embedding R6] every export of the protocol has a text for editors to show", () => {
  const folder = resolve(import.meta.dirname, "../../src/protocol");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const documented = new Set(
    files.flatMap((text) =>
      [
        ...text.matchAll(/\*\/\nexport (?:async )?(?:const|function|class|type|interface) (\w+)/g),
      ].map(([, name]) => name),
    ),
  );

  const silent = Object.entries(protocol).filter(
    ([name, value]) =>
      typeof (value as { description?: unknown }).description !== "string" && !documented.has(name),
  );

  expect(silent.map(([name]) => name)).toEqual([]);
});
