import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packProgram } from "../../scripts/pack-program.mjs";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-pack-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program whose start needs one chunk, and that loads another one only when told to. */
function chunks(greeting: string): Map<string, string> {
  return new Map([
    ["main.js", 'exports.main = ([name]) => require("./run-1.js").run(name);'],
    [
      "run-1.js",
      `const state = require("./shared-1.js");
       exports.run = (name) => {
         state.runs++;
         if (name !== "proto") require("./late-1.js").late();
         console.log("${greeting}", state.runs);
       };`,
    ],
    ["shared-1.js", "exports.runs = 0;"],
    ["late-1.js", 'exports.late = () => { require("./shared-1.js").runs += 10; };'],
  ]);
}

async function run(main: string, name: string): Promise<string> {
  const script = `require(${JSON.stringify(main)}).main([${JSON.stringify(name)}])`;
  return (await promisify(execFile)(process.execPath, ["-e", script])).stdout;
}

test("what the start needs is one file, and chunks loaded later share its modules", async () => {
  await packProgram(folder, chunks("hello"));

  const main = join(folder, "main.js");
  const outputs = [await run(main, "proto"), await run(main, "other")];
  const [build = ""] = (await readdir(folder)).filter((name) => !name.includes("."));
  const start = await readFile(join(folder, build, "start.js"), "utf8");

  expect(outputs).toEqual(["hello 1\n", "hello 11\n"]);
  expect(start).toContain("shared-1.js");
  expect(start).not.toContain('"./late-1.js":');
  expect(await readFile(join(folder, build, "later.js"), "utf8")).toContain('"./late-1.js":');
});

test("what was compiled ahead is used, and a broken piece of it costs nothing but time", async () => {
  await packProgram(folder, chunks("hello"));
  const [build = ""] = (await readdir(folder)).filter((name) => !name.includes("."));
  const main = join(folder, build, "main.js");
  const cache = join(folder, build, `start-${process.version}-${process.arch}.cache`);
  const rejected = async () => {
    const script = `console.log(require(${JSON.stringify(main)}).scripts.start.cachedDataRejected)`;
    return (await promisify(execFile)(process.execPath, ["-e", script])).stdout.trim();
  };

  const whole = await rejected();
  await writeFile(cache, "nonsense");
  const broken = await rejected();
  const output = await run(main, "other");
  await rm(cache);
  const missing = await rejected();

  expect([whole, broken, missing]).toEqual(["false", "true", "undefined"]);
  expect(output).toBe("hello 11\n");
});

test("a program that was built before keeps its files for a while", async () => {
  await packProgram(folder, chunks("first"));
  const [first = ""] = (await readdir(folder)).filter((name) => !name.includes("."));

  await packProgram(folder, chunks("second"));
  const old = await run(join(folder, first, "main.js"), "other");
  const now = await run(join(folder, "main.js"), "other");
  await utimes(join(folder, first), 0, 0);
  await packProgram(folder, chunks("third"));

  expect([old, now]).toEqual(["first 11\n", "second 11\n"]);
  expect(await readdir(folder)).not.toContain(first);
});
