import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const { exports: doors } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));

test("the package has these doors", () => {
  expect(Object.keys(doors)).toEqual([
    "./protocol",
    "./transport",
    "./engine",
    "./tools",
    "./schema/*",
  ]);
});

test.each([
  ["transport", ["Malformed", "linkedChannels", "stdioChannel"]],
  ["engine", ["createLocalParts", "createQueues", "runCodex"]],
  ["tools", ["createToolBox", "defineTool", "failed", "ok", "parameters"]],
  ["protocol", ["CodexError", "Event", "Op", "Submission", "parseEvent", "parseSubmission"]],
])("the built door ./%s opens and has what it promises", async (name, promised) => {
  const door = await import(resolve(root, doors[`./${name}`].default));

  expect(promised.filter((one) => !(one in door))).toEqual([]);
});
