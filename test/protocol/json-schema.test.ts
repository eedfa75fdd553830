import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { specExamples } from "./spec-examples.js";

const files = {
  submission: "submission.schema.json",
  event: "event.schema.json",
  item: "response-item.schema.json",
  line: "rollout-line.schema.json",
};

describe.each(Object.entries(files))("the JSON Schema of a %s", (kind, file) => {
  test("is self-contained and accepts every example of the specification", async () => {
    const schema = JSON.parse(await readFile(`schema/${file}`, "utf8")) as object;
    const check = new Ajv2020({ strict: false }).compile(schema);
    const examples = specExamples.filter((example) => example.kind === kind);

    for (const { name, json } of examples) {
      expect({ name, fits: check(json), errors: check.errors }).toEqual({
        name,
        fits: true,
        errors: null,
      });
    }

    expect(check({ id: "1", op: {}, msg: {}, type: 5 })).toBe(false);
    expect(examples.length).toBeGreaterThan(4);
  });
});
