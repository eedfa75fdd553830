import { expect, test } from "vitest";
import { createComplete } from "../../../src/tui/app/completion.js";
import { slashCommands } from "../../../src/tui/commands/table.js";
import { droppedImage } from "../../../src/tui/composer/draft.js";
import { completionToken } from "../../../src/tui/composer/menu.js";

test.each([
  ["/sta", { sign: "/", query: "sta" }],
  ["/", { sign: "/", query: "" }],
  ["/model gpt", undefined],
  ["see /etc", undefined],
  ["look at @src/ma", { sign: "@", query: "src/ma" }],
  ["@", { sign: "@", query: "" }],
  ["mail a@b", undefined],
  ["use $fron", { sign: "$", query: "fron" }],
  ["it costs $5", undefined],
  ["two\nlines @x", { sign: "@", query: "x" }],
])("the completion token in %j", (before, token) => {
  expect(completionToken(before)).toEqual(token);
});

test.each([
  ["/tmp/a b.png", "/tmp/a b.png"],
  ["/tmp/a\\ b.png", "/tmp/a b.png"],
  ["'/tmp/a b.PNG'", "/tmp/a b.PNG"],
  ["file:///tmp/a%20b.jpg", "/tmp/a b.jpg"],
  ["/tmp/a.txt", undefined],
  ["two\nlines.png", undefined],
])("the path of an image dropped as %j", (pasted, path) => {
  expect(droppedImage(pasted)).toBe(path);
});

test("commands that start with the query come first", async () => {
  const complete = createComplete({
    commands: () => slashCommands,
    prompts: async () => [{ name: "release", argumentHint: "VERSION" }],
    skills: async () => [],
    files: async () => ["a b.ts", "c.ts"],
  });
  const signal = new AbortController().signal;
  const labels = async (query: string) =>
    (await complete({ sign: "/", query }, signal)).map(({ label }) => label);

  expect((await labels("re")).slice(0, 3)).toEqual(["/review", "/resume", "/rewind"]);
  expect(await labels("release")).toEqual(["/prompts:release"]);
  expect((await complete({ sign: "@", query: "x" }, signal)).map(({ insert }) => insert)).toEqual([
    '"a b.ts"',
    "c.ts",
  ]);
});
