import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
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

/** A program whose server needs one module, whose turns need another, and that has a third one. */
function modules(greeting: string): Map<string, string> {
  return new Map([
    [
      "/cli/main.js",
      `__export(exports, { main: () => main });
       async function main([name]) {
         const { run } = __toESM(require("/run.js"));
         if (name === "exec") require("/turn.js").turn();
         if (name === "other") require("/other.js").other();
         run(name);
       }`,
    ],
    [
      "/run.js",
      `const state = require("/shared.js");
       exports.run = (name) => {
         state.runs++;
         process.stdout.write('{"id":1}' + "${greeting} " + state.runs + "\\n");
       };`,
    ],
    ["/shared.js", "exports.runs = 0;"],
    ["/turn.js", 'exports.turn = () => { require("/shared.js").runs += 10; };'],
    ["/other.js", 'exports.other = () => { require("/shared.js").runs += 100; };'],
  ]);
}

async function run(main: string, name: string): Promise<string> {
  const script = `require(${JSON.stringify(main)}).main([${JSON.stringify(name)}])`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], noHome);
  return stdout.replace('{"id":1}', "");
}

/** Nothing is stored where there is no home. */
const noHome = { env: { PATH: process.env.PATH, HOME: "/nowhere" } };

async function builds(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.includes("."));
}

test("what is used at once, later and rarely is a file each, and they share their modules", async () => {
  await packProgram(folder, modules("hello"));

  const main = join(folder, "main.js");
  const outputs = [await run(main, "proto"), await run(main, "exec"), await run(main, "other")];
  const [build = ""] = await builds();
  const parts = ["start", "turn", "exec", "rest"].map((part) => join(folder, build, `${part}.js`));
  const names = (await Promise.all(parts.map((path) => readFile(path, "utf8")))).map((text) =>
    [...text.matchAll(/^"([^"]+)":/gm)].map(([, name]) => name),
  );

  expect(outputs).toEqual(["hello 1\n", "hello 11\n", "hello 101\n"]);
  const start = ["start/cli/main.js", "start/run.js", "start/shared.js"];
  expect(names).toEqual([start, [], ["exec/turn.js"], ["rest/other.js"]]);
});

test("what was compiled ahead is used, and a broken piece of it costs nothing but time", async () => {
  await packProgram(folder, modules("hello"));
  const [build = ""] = await builds();
  const main = join(folder, build, "main.js");
  const cache = join(folder, build, `start-${process.version}-${process.arch}.cache`);
  const rejected = async () => {
    const open = `require(${JSON.stringify(main)}).open("start")`;
    const script = `console.log(${open}.cachedDataRejected)`;
    return (await promisify(execFile)(process.execPath, ["-e", script], noHome)).stdout.trim();
  };

  const whole = await rejected();
  await writeFile(cache, "nonsense");
  const broken = await rejected();
  const output = await run(main, "exec");
  await rm(cache);
  const missing = await rejected();

  expect([whole, broken, missing]).toEqual(["false", "true", "undefined"]);
  expect(output).toBe("hello 11\n");
});

test("a program that was built before keeps its files for a while", async () => {
  await packProgram(folder, modules("first"));
  const [first = ""] = await builds();

  await packProgram(folder, modules("second"));
  const old = await run(join(folder, first, "main.js"), "exec");
  const now = await run(join(folder, "main.js"), "exec");
  await utimes(join(folder, first), 0, 0);
  await packProgram(folder, modules("third"));

  expect([old, now]).toEqual(["first 11\n", "second 11\n"]);
  expect(await readdir(folder)).not.toContain(first);
});

test("[embedding R1] another version of Node compiles the program once and finds that again", async () => {
  await packProgram(folder, modules("hello"));
  const [build = ""] = await builds();
  const version = `${process.version}-${process.arch}.cache`;
  await rm(join(folder, build, `start-${version}`)); // as if the package had been built by another version
  const home = await mkdtemp(join(folder, "home."));
  const env = { PATH: process.env.PATH, CODEX_HOME: home };
  const stored = join(home, "quire/compiled", build, `start-tui-${version}`);
  const start = async () => {
    const main = JSON.stringify(join(folder, build, "main.js"));
    const script = `const p = require(${main}); p.main(["proto"]); console.log(p.open("start").cachedDataRejected)`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { env });
    return stdout.trim().split("\n").at(-1);
  };

  const first = await start();
  const { mode } = await stat(stored);
  const second = await start();
  await chmod(stored, 0o666); // others could have written it
  const third = await start();
  const healed = await start();
  const bytes = await readFile(stored);
  await writeFile(stored, bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 256)); // as after a power failure
  const torn = await start();
  const again = await start();
  const whole = await readFile(stored);
  const middle = whole.length >> 1;
  whole[middle] = ~(whole[middle] ?? 0); // a single wrong byte can crash V8
  await writeFile(stored, whole);
  const wrong = await start();
  const last = await start();

  expect([first, second, third, healed, torn, again, wrong, last]).toEqual([
    "undefined",
    "false",
    "undefined",
    "false",
    "undefined",
    "false",
    "undefined",
    "false",
  ]);
  expect(mode & 0o777).toBe(0o600);
});

test("a version of Node compiled elsewhere stores what each command uses, however little the first run used", async () => {
  await packProgram(folder, modules("hello"));
  const [build = ""] = await builds();
  const version = `${process.version}-${process.arch}.cache`;
  for (const part of ["start", "exec", "rest"]) await rm(join(folder, build, `${part}-${version}`));
  const home = await mkdtemp(join(folder, "home."));
  const env = { PATH: process.env.PATH, CODEX_HOME: home };
  const stored = join(home, "quire/compiled", build);
  const start = async (command: string, work: string) => {
    const script = `require(${JSON.stringify(join(folder, build, "main.js"))}).main([${JSON.stringify(work)}])`;
    await promisify(execFile)(process.execPath, ["-e", script, "quire", command], { env });
    const names = await readdir(stored);
    const { ino } = await stat(join(stored, `start-${command}-${version}`));
    return { ino, names: names.map((name) => name.slice(0, -version.length - 1)).sort() };
  };

  const other = await start("other", "proto");
  const little = await start("exec", "proto");
  const more = await start("exec", "exec");
  const same = await start("exec", "exec");

  expect(other.names).toEqual(["start-other"]);
  expect(little.names).toEqual(["start-exec", "start-other"]);
  expect(more.names).toEqual(["exec-exec", "start-exec", "start-other"]);
  expect(more.ino).not.toBe(little.ino);
  expect(same.ino).toBe(more.ino);
});
