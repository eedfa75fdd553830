import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Skipped } from "../../interop/check.js";
import { copySuites, findCodexSource } from "../../interop/codex-source.js";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "quire-source-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the sources of the suites come from the environment or the cache; otherwise they are skipped", () => {
  const cache = makeFolder();
  const inCache = join(cache, "quire-interop", "codex-source");
  const find = (env: object) => findCodexSource({ XDG_CACHE_HOME: cache, ...env });

  expect(() => find({})).toThrow(Skipped);
  expect(() => find({})).toThrow(`clone it to ${inCache}`);
  expect(() => find({ QUIRE_CODEX_SOURCE: cache })).toThrow(`QUIRE_CODEX_SOURCE is ${cache}`);
  mkdirSync(join(inCache, "sdk"), { recursive: true });
  expect(find({})).toBe(inCache);
  expect(find({ QUIRE_CODEX_SOURCE: inCache })).toBe(inCache);
});

test("files installed beside the suites are not copied", async () => {
  const [source, copy] = [makeFolder(), makeFolder()];
  mkdirSync(join(source, "sdk", "typescript", "node_modules"), { recursive: true });
  writeFileSync(join(source, "sdk", "typescript", "package.json"), "{}");

  await copySuites(source, copy);

  expect(existsSync(join(copy, "sdk", "typescript", "package.json"))).toBe(true);
  expect(existsSync(join(copy, "sdk", "typescript", "node_modules"))).toBe(false);
});
