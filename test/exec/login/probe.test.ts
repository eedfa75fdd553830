import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeDefinitions } from "../../../src/exec/login/probe.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-definitions-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("the same definitions are one file, also when someone has changed it", async () => {
  const first = await writeDefinitions(folder, ["f() { :; }", "umask 022"]);
  await writeFile(first, "something else");
  const second = await writeDefinitions(folder, ["f() { :; }", "umask 022"]);

  expect(second).toBe(first);
  expect(await readFile(first, "utf8")).toBe("unset BASH_ENV\nf() { :; }\numask 022");
  expect(await readdir(folder)).toHaveLength(1);
});

test.each(["$(touch x)", "a`b`", "a\\b"])(
  "a folder whose name bash would run or change is refused: %s",
  async (name) => {
    const inside = writeDefinitions(join(folder, name), ["f() { :; }"]);

    await expect(inside).rejects.toThrow("Bash would not take");
    expect(await readdir(folder)).toEqual([]);
  },
);
