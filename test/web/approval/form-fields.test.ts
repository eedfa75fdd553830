import { expect, test } from "vitest";
import { formContent, formFields } from "../../../src/web/approval/form-fields.js";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", description: "As on the card" },
    nick: { type: "string", default: "Bo" },
    age: { type: "integer" },
    news: { type: "boolean" },
    size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
    color: { type: "string", oneOf: [{ const: "r", title: "Red" }, { const: "b" }], default: "b" },
    extras: { type: "array", items: { anyOf: [{ const: "x", title: "Ex" }] }, default: ["x"] },
  },
  required: ["name", "news"],
};

test("a form has a field for each property, with its options and its default", () => {
  const fields = formFields(schema);

  expect(fields.map(({ label, kind, initial }) => [label, kind, initial])).toEqual([
    ["Your name", "text", ""],
    ["nick", "text", "Bo"],
    ["age", "number", ""],
    ["news", "switch", false],
    ["size", "choice", ""],
    ["color", "choice", "b"],
    ["extras", "choices", ["x"]],
  ]);
  expect(fields.map(({ options }) => options.map(({ label }) => label).join())).toEqual([
    ...["", "", "", ""],
    "Small,Large",
    "Red,b",
    "Ex",
  ]);
  expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
    "name",
    "news",
  ]);
});

test("the answer has defaults and what was required, and nothing that was left empty", () => {
  const fields = formFields(schema);

  expect(formContent(fields, { name: "Ann", age: "41", extras: [] })).toEqual({
    name: "Ann",
    nick: "Bo",
    age: 41,
    news: false,
    color: "b",
  });
  expect(formContent(formFields(undefined), {})).toEqual({});
});
