import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TurnFiles } from "../../src/checkpoint/index.js";
import { TestWorkspace } from "./workspace-support.js";

test("edits of the user are no part of a turn whose expected command did not run", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("file"), "old\n");
  const turn = new TurnFiles(at.store, [at.workspace]);

  await turn.expectCommand();
  writeFileSync(at.path("file"), "of the user\n");

  expect(await turn.finish()).toBeUndefined();
});

test("a patch is taken back in a turn whose expected command did not run", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("file"), "old\n");
  writeFileSync(at.path("other"), "old\n");
  const turn = new TurnFiles(at.store, [at.workspace]);

  await turn.expectCommand();
  await turn.beforePatch([at.path("file")]);
  writeFileSync(at.path("file"), "patched\n");
  writeFileSync(at.path("other"), "of the user\n");
  const plan = await at.rewind(await turn.finish());

  expect(plan.steps.map(({ path }) => path)).toEqual([at.path("file")]);
  expect(readFileSync(at.path("file"), "utf8")).toBe("old\n");
  expect(readFileSync(at.path("other"), "utf8")).toBe("of the user\n");
});

test("the turn after one whose expected command did not run has its own files", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("file"), "old\n");
  const turn = new TurnFiles(at.store, [at.workspace]);
  const expected = turn.expectCommand().catch(() => {}); // the end of the turn stops it
  await turn.finish();
  await expected;

  const manifest = await at.turn(() => writeFileSync(at.path("file"), "new\n"));
  await at.rewind(manifest);

  expect(readFileSync(at.path("file"), "utf8")).toBe("old\n");
});
