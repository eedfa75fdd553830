import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Placeholders } from "../../src/sandbox/placeholders.js";

const onLinux = test.runIf(process.platform === "linux");

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "quire-places-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

onLinux("a placeholder is there as long as someone holds it", async () => {
  const base = directory();
  const path = join(base, ".git");
  const [one, two] = [1, 2].map((id) => new Placeholders(join(base, "lock"), String(id)));
  if (one === undefined || two === undefined) throw new Error("missing");

  await one.acquire([path]);
  await one.acquire([path]);
  await two.acquire([path]);
  await one.release([path]);
  await one.release([path]);
  const whileTwoHolds = existsSync(path);
  await two.release([path]);

  expect([whileTwoHolds, readdirSync(base)]).toEqual([true, []]);
});

onLinux("what is real is left alone, even when it is empty", async () => {
  const base = directory();
  const [empty, file] = [join(base, ".codex"), join(base, ".agents")];
  mkdirSync(empty);
  writeFileSync(file, "");
  const placeholders = new Placeholders(undefined, "a");

  const states = await placeholders.acquire([empty, file, join(base, "no/such/.git")]);
  await placeholders.release([...states.keys()]);

  expect([...states.values()]).toEqual(["real", "real", "impossible"]);
  expect(readdirSync(base)).toEqual([".agents", ".codex"]);
});

onLinux("a directory that was filled in the meantime stays, without our mark", async () => {
  const base = directory();
  const path = join(base, ".git");
  const placeholders = new Placeholders(undefined, "a");
  await placeholders.acquire([path]);
  writeFileSync(join(path, "HEAD"), "");

  await placeholders.release([path]);

  expect(readdirSync(path)).toEqual(["HEAD"]);
});

onLinux("everything held goes at once at the end of the process", async () => {
  const base = directory();
  const placeholders = new Placeholders(join(base, "lock"), "a");
  await placeholders.acquire([join(base, ".git"), join(base, ".codex")]);

  placeholders.releaseAll();

  expect(readdirSync(base)).toEqual([]);
});
