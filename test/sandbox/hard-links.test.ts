import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findHardLinks } from "../../src/sandbox/rules/aliases.js";

function folder(): (name: string) => string {
  const root = mkdtempSync(join(tmpdir(), "quire-links-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return (name) => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
}

test("all other names of all files are found, in any directory", async () => {
  const at = folder();
  for (const name of ["ws/a", "ws/b", "ws/c"]) writeFileSync(at(name), name);
  linkSync(at("ws/a"), at("ws/a2"));
  linkSync(at("ws/a"), at("tmp/deep/down/a3"));
  linkSync(at("ws/b"), at("tmp/b2"));

  const found = await findHardLinks([at("ws/a"), at("ws/b"), at("ws/c")], [at("ws"), at("tmp")]);

  expect(found.paths.toSorted()).toEqual([at("tmp/b2"), at("tmp/deep/down/a3"), at("ws/a2")]);
  expect(found.missing).toBe(0);
});

test("a file with a name elsewhere counts as missing, and one whose names are known does not", async () => {
  const at = folder();
  writeFileSync(at("ws/a"), "a");
  linkSync(at("ws/a"), at("elsewhere/a2"));

  expect(await findHardLinks([at("ws/a")], [at("ws")])).toEqual({ paths: [], missing: 1 });
  expect(await findHardLinks([at("ws/a"), at("elsewhere/a2")], [at("ws")])).toEqual({
    paths: [],
    missing: 0,
  });
});
