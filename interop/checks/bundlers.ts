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
];

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

async function installOurs(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: resolve("."), env });
  const [{ filename }] = JSON.parse(stdout);
  const install = ["install", "--offline", "--omit=optional", "--no-audit", "--no-fund"];
  await run("npm", [...install, join(folder, filename)], { cwd: folder, env });
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
