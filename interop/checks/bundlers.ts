import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Check, CheckContext } from "../check.js";
import { expectIn } from "../expect.js";
import { openScene } from "../scene.js";

const run = promisify(execFile);

/** Programs that put the library into one file with the program of its user. */
export const bundlers: readonly Check[] = [
  { name: "webpack", short: false, run: (context) => bundle("5.112.2", context) },
  { name: "package-types", short: false, run: lintPackage },
];

/** Lets two programs of the field judge the packed package: its files, and its types for every kind of import. */
async function lintPackage(context: CheckContext): Promise<string> {
  const publint = await context.packages.program("publint", "0.3.25");
  const attw = await context.packages.program("@arethetypeswrong/cli", "0.18.5");
  const plan = { script: [[{ message: "Hello." }]], model: "gpt-5.5" };
  await using scene = await openScene(() => plan, context);
  const folder = join(scene.workspace, "project");
  const tarball = await installOurs(folder, scene.env);
  const judge = async ([file = "", ...args]: string[]) => {
    context.note(`runs ${[file, ...args].join(" ")}`);
    return (await run(file, args, { cwd: folder, env: scene.env, signal: context.signal })).stdout;
  };
  expectIn(
    "publint",
    await judge([...publint, join(folder, "node_modules/quire-agent")]),
    "All good",
  );
  // The resolution of TypeScript before 4.7 knows no exports.
  const types = await judge([...attw, tarball, "--profile", "node16", "--format", "table-flipped"]);
  expectIn("attw", types, "(CJS)", "(ESM)");
  return "publint 0.3.25 and attw 0.18.5: no problem in the package, from CommonJS and from ES modules";
}

/** Bundles a program with the installed package, without its optional parts, and runs a turn. */
async function bundle(version: string, context: CheckContext): Promise<string> {
  const webpack = await context.packages.library("webpack", version);
  const plan = { script: [[{ message: "Hello." }]], model: "gpt-5.5" };
  await using scene = await openScene(() => plan, context);
  const folder = join(scene.workspace, "project");
  await installOurs(folder, scene.env);
  await writeFile(join(folder, "program.mjs"), program);
  await writeFile(join(folder, "build.cjs"), build);
  const node = async (...args: string[]) => {
    context.note(`runs node ${args.join(" ")}`);
    const place = { cwd: folder, env: scene.env, signal: context.signal };
    return (await run(process.execPath, args, place)).stdout;
  };
  expectIn("webpack's report", await node("build.cjs", webpack, folder), "built without a word");
  expectIn("the answer", await node("out/main.mjs"), "Hello.");
  return `webpack ${version}: built a program with quire-agent without a warning; a turn ran`;
}

/** Returns the path of the tarball. */
async function installOurs(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: resolve("."), env });
  const [{ filename }] = JSON.parse(stdout);
  const install = ["install", "--offline", "--omit=optional", "--no-audit", "--no-fund"];
  await run("npm", [...install, join(folder, filename)], { cwd: folder, env });
  return join(folder, filename);
}

const program = `
import { Codex } from "quire-agent";
import { listen } from "quire-agent/transport";
const codex = new Codex();
const { finalResponse } = await codex.startThread().run("hi");
console.log(finalResponse);
await codex.close();
const listener = await listen("grpc://127.0.0.1:0", { onConnection() {} });
await listener.close();
`;

const build = `
const [, , webpack, folder] = process.argv;
require(webpack)(
  {
    context: folder,
    entry: folder + "/program.mjs",
    target: "node20",
    mode: "production",
    experiments: { outputModule: true },
    output: { path: folder + "/out", filename: "main.mjs", module: true, chunkFormat: "module" },
  },
  (error, stats) => {
    const { errors = [], warnings = [] } = error ? { errors: [error] } : stats.toJson();
    const found = [...errors, ...warnings].map(({ message }) => message);
    console.log(found.length === 0 ? "built without a word" : found.join("\\n"));
  },
);
`;
