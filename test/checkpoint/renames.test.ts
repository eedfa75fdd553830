import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TestWorkspace } from "./workspace-support.js";

test.each([
  ["a file whose name changes only in its case", "Readme.md", "README.md"],
  ["a file that moves", "one", "two"],
])("%s gets its name back", async (_name, before, after) => {
  using at = new TestWorkspace();
  writeFileSync(at.path(before), "text\n");

  const manifest = await at.turn(() => renameSync(at.path(before), at.path(after)));
  const plan = await at.rewind(manifest);

  expect(plan.conflicts).toEqual([]);
  expect(readdirSync(at.root).filter((name) => name !== ".git")).toEqual([before]);
  expect(readFileSync(at.path(before), "utf8")).toBe("text\n");
});
