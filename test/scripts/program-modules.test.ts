import { execFile } from "node:child_process";
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
