import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NestedRepositories } from "../../src/sandbox/nested-repositories.js";

const wide = { directories: 1000, entries: 10_000, depth: 8 };

function tree(...paths: string[]): string {
  const base = mkdtempSync(join(tmpdir(), "quire-nested-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  for (const path of paths) mkdirSync(join(base, path), { recursive: true });
  return base;
}

test("protected names below a root are found, not those in it or in installed packages", async () => {
  const root = tree(
    ".git/modules/x/.git",
    "a/b/.git",
    "c/.codex",
    "node_modules/p/.git",
    "d/.github",
  );
  mkdirSync(join(root, "e"));
  writeFileSync(join(root, "e/.git"), "gitdir: x\n");

  const findings = await new NestedRepositories(wide).find(root);

  expect({ ...findings, paths: findings.paths.sort() }).toEqual({
    paths: [join(root, "a/b/.git"), join(root, "c/.codex"), join(root, "e/.git")],
    complete: true,
  });
});

test("a search stops at its limits and reports that it is incomplete", async () => {
  const root = tree(...Array.from({ length: 30 }, (_, index) => `d${index}/.git`));

  const few = await new NestedRepositories({ ...wide, directories: 10 }).find(root);
  const shallow = await new NestedRepositories({ ...wide, depth: 0 }).find(root);

  expect([few.complete, few.paths.length < 30]).toEqual([false, true]);
  expect(shallow).toEqual({ paths: [], complete: false });
});

test("an answer is used again, renewed beside when it is old, and waited for when it is very old", async () => {
  const root = tree("a/.git");
  let now = 0;
  const nested = new NestedRepositories(wide, () => now);
  const names = async () => (await nested.find(root)).paths.length;
  const first = await names();
  mkdirSync(join(root, "b/.git"), { recursive: true });

  const fresh = await names();
  now = 6_000;
  const old = await names();
  await vi.waitUntil(async () => (await names()) > old);
  const renewed = await names();
  mkdirSync(join(root, "c/.git"), { recursive: true });
  now = 80_000;
  const veryOld = await names();

  expect([first, fresh, old, renewed, veryOld]).toEqual([1, 1, 1, 2, 3]);
});

test("a root that cannot be read has nothing in it", async () => {
  expect(await new NestedRepositories(wide).find("/nonexistent")).toEqual({
    paths: [],
    complete: true,
  });
});
