import { describe, expect, test } from "vitest";
import { checkOf, type Shapes } from "../../src/inspect/schema-check.js";
import { findProblem } from "../../src/protocol/read/problem.js";

const shapes: Shapes = {
  Item: {
    type: "object",
    discriminator: { propertyName: "type" },
    oneOf: [{ $ref: "#/$defs/Text" }, { $ref: "#/$defs/Picture" }],
  },
  Text: {
    type: "object",
    required: ["type", "text"],
    properties: { type: { const: "text" }, text: { type: "string" } },
  },
  Picture: {
    type: "object",
    required: ["type"],
    properties: {
      type: { enum: ["image", "picture"] },
      width: { anyOf: [{ type: "integer" }, { type: "null" }] },
      size: { type: "number", minimum: 1, maximum: 9 },
    },
  },
  Message: {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string" },
      name: { type: "string", pattern: "^a" },
      items: { type: "array", items: { $ref: "#/$defs/Item" }, maxItems: 2 },
      mode: { anyOf: [{ const: "on" }, { $ref: "#/$defs/Text" }] },
    },
    additionalProperties: { type: "boolean" },
  },
};

describe("a check by a schema", () => {
  test.each([
    [{ id: "1" }],
    [
      {
        id: "1",
        items: [
          { type: "text", text: "t" },
          { type: "picture", width: null },
        ],
      },
    ],
    [{ id: "1", mode: "on" }],
    [{ id: "1", mode: { type: "text", text: "t" }, more: true }],
    [{ id: "1", items: [{ type: "text", text: "t", unknown: 1 }] }],
  ])("accepts %j", (value) => {
    expect(findProblem(checkOf("Message", shapes), value, "m")).toBeUndefined();
  });

  test.each([
    [[], "m must be an object, not a list."],
    [{}, "m.id is missing."],
    [{ id: 1 }, "m.id must be a string, not 1."],
    [{ id: "1", more: "yes" }, 'm.more must be a boolean, not "yes".'],
    [{ id: "1", name: "b" }, 'm.name must be something else (pattern), not "b".'],
    [{ id: "1", items: ["t"] }, 'm.items[0] must be an object, not "t".'],
    [{ id: "1", items: [{}] }, "m.items[0].type must be a string that says which kind it is."],
    [{ id: "1", items: [{ type: "x" }] }, 'm.items[0].type is "x", which is not known here.'],
    [{ id: "1", items: [{ type: "text" }] }, "m.items[0].text is missing."],
    [
      { id: "1", items: [{ type: "image", width: 1.5 }] },
      "m.items[0].width must be an integer or null, not 1.5.",
    ],
    [
      { id: "1", items: [{ type: "image", size: 0 }] },
      "m.items[0].size must be something else (minimum), not 0.",
    ],
    [{ id: "1", items: [1, 2, 3] }, "m.items must be something else (maxItems), not a list."],
    [{ id: "1", mode: { type: "text" } }, "m.mode.text is missing."],
  ])("rejects %j", (value, message) => {
    expect(findProblem(checkOf("Message", shapes), value, "m")?.message).toBe(message);
  });

  test("accepts null for what a client may omit, and for nothing else", () => {
    const check = checkOf("Message", shapes, { nullIsAbsent: true });

    expect(findProblem(check, { id: "1", name: null }, "m")).toBeUndefined();
    expect(findProblem(check, { id: null }, "m")?.message).toBe("m.id must be a string, not null.");
    expect(findProblem(checkOf("Message", shapes), { id: "1", name: null }, "m")?.message).toBe(
      "m.name must be a string, not null.",
    );
  });
});
