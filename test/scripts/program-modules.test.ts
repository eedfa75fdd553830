import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Loads every module of the built program as the first one, and tells which of them that fails for. */
const loadEach = `
  const { readdirSync, readFileSync } = require("node:fs");
  const { dirname, join } = require("node:path");
  const program = require(process.argv[1]);
  const folder = dirname(Object.keys(require.cache).find((name) => /[0-9a-f]{12}.main\\.js$/.test(name)));
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".js") && name !== "main.js")
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/^"([^"]+)":function/gm)])
    .map(([, name]) => name);
  const failures = names.flatMap((name) => {
    program.loaded.clear();
    try {
      program.load(name);
      return [];
    } catch (error) {
      return [name + ": " + error.message];
    }
  });
  console.log(JSON.stringify({ isWhole: names.length > 500, failures }));
`;

test("no module of the program needs another one that needs it while both are made", async () => {
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", loadEach, main]);

  expect(JSON.parse(stdout)).toEqual({ isWhole: true, failures: [] });
});

test("a start and a plain turn read no code of older versions and of tools that they do not offer", async () => {
  const cli = join(import.meta.dirname, "../../dist/cli");
  const main = await readFile(join(cli, "main.js"), "utf8");
  const folder = join(cli, /\.\/(\w+)\//.exec(main)?.[1] ?? "");
  const [start, turn] = await Promise.all(
    ["start.js", "turn.js"].map((name) => readFile(join(folder, name), "latin1")),
  );

  for (const name of ["wireTable", "createV1Methods", "withToolSearch", "withCodeMode"]) {
    const declared = new RegExp(`(?:var|function) ${name}\\b`);
    expect(start, name).not.toMatch(declared);
    expect(turn, name).not.toMatch(declared);
  }
});
