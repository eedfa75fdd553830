import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  areAlike,
  isPerShell,
  probeScript,
  readProbe,
  startupFilesVersion,
  writeDefinitions,
} from "../../../src/exec/login/probe.js";

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

describe("the probe of a shell", () => {
  const mark = "MARK";
  const output = (parts: { env?: string; variables?: string; definitions?: string } = {}) =>
    [
      "output of a start-up file\n",
      parts.env ?? "PATH=/bin\0LINES=a\nb\0SHLVL=2\0",
      parts.variables ?? 'declare -- mine="1"\ndeclare -x PATH="/bin"\ndeclare -i RANDOM="5"\n',
      parts.definitions ?? "f () { :; }\nshopt -s login_shell\nshopt -u compat31\numask 022",
      "/home\n",
    ].join(`${mark}\0`);

  test("prints a mark before each part", () => {
    expect(probeScript(mark).split(`printf '%s\\0' ${mark}; `)).toHaveLength(5);
  });

  test("is read without the variables and options that each shell sets", () => {
    expect(readProbe(output(), mark)).toEqual({
      env: { PATH: "/bin", LINES: "a\nb" },
      variables: ['declare -- mine="1"'],
      definitions: "f () { :; }\numask 022",
      rest: "/home\n",
    });
  });

  test.each([
    [
      "incomplete",
      output()
        .split("/home")[0]
        ?.replace(/MARK\0$/, "") ?? "",
    ],
    ["empty", ""],
    ["not valid text", output({ env: "PATH=\ufffd\0" })],
  ])("is unusable if it is %s", (_, text) => {
    expect(readProbe(text, mark)).toBeUndefined();
  });

  test.each<[string, Parameters<typeof output>[0], boolean]>([
    ["the same state", {}, true],
    ["another level of shells", { env: "PATH=/bin\0LINES=a\nb\0SHLVL=9\0" }, true],
    ["another path", { env: "PATH=/usr/bin\0LINES=a\nb\0" }, false],
    ["another variable", { variables: 'declare -- mine="2"\n' }, false],
    ["another function", { definitions: "f () { false; }\numask 022" }, false],
  ])("a shell with %s is alike: %s", (_, parts, expected) => {
    const [left, right] = [readProbe(output(), mark), readProbe(output(parts), mark)];

    expect(left && right && areAlike(left, right)).toBe(expected);
  });

  test("variables of the single shell are known", () => {
    expect(["SHLVL", "PWD", "PATH"].map(isPerShell)).toEqual([true, true, false]);
  });
});

test("the version of the start-up files changes with each of them", async () => {
  const empty = startupFilesVersion(folder);
  await writeFile(join(folder, ".bashrc"), "a=1");
  const one = startupFilesVersion(folder);
  await writeFile(join(folder, ".profile"), "b=1");
  const two = startupFilesVersion(folder);

  expect(new Set([empty, one, two]).size).toBe(3);
  expect(startupFilesVersion(folder)).toBe(two);
});
