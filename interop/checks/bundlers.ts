import type { Check, CheckContext } from "../check.js";
import { expectIn } from "../expect.js";
import { installOurs } from "../installed-package.js";
import { openScene } from "../scene.js";
import { buildNext } from "./next.js";
import { buildVite } from "./vite.js";

/** Programs that judge the package, and those that put the library into one file with the program of its user. */
export const bundlers: readonly Check[] = [
  { name: "webpack", short: false, run: (context) => bundle("5.112.2", context) },
  { name: "vite", short: false, run: (context) => buildVite("8.3.8", context) },
  { name: "next", short: false, run: (context) => buildNext("16.4.6", "19.2.9", context) },
  { name: "package-types", short: false, run: lintPackage },
];

const plan = () => ({ script: [[{ message: "Hello." }]], model: "gpt-5.5" });

/** Lets two programs of the field judge the packed package: its files, and its types for every kind of import. */
async function lintPackage(context: CheckContext): Promise<string> {
  const publint = await context.packages.program("publint", "0.3.25");
  const attw = await context.packages.program("@arethetypeswrong/cli", "0.18.5");
  await using scene = await openScene(plan, context);
  const project = await installOurs(scene, context);
  const judged = await project.run([...publint, `${project.folder}/node_modules/quire-agent`]);
  expectIn("publint", judged, "All good");
  // The resolution of TypeScript before 4.7 knows no exports.
  const options = ["--profile", "node16", "--format", "table-flipped"];
  const types = await project.run([...attw, project.tarball, ...options]);
  expectIn("attw", types, "(CJS)", "(ESM)");
  return "publint 0.3.25 and attw 0.18.5: no problem in the package, from CommonJS and from ES modules";
}

/** Bundles a program with the installed package, without its optional parts, and runs a turn. */
async function bundle(version: string, context: CheckContext): Promise<string> {
  const webpack = await context.packages.library("webpack", version);
  await using scene = await openScene(plan, context);
  const project = await installOurs(scene, context);
  await project.write("program.mjs", program);
  await project.write("build.cjs", build);
  const report = await project.run([process.execPath, "build.cjs", webpack, project.folder]);
  expectIn("webpack's report", report, "built without a word");
  expectIn("the answer", await project.run([process.execPath, "out/main.mjs"]), "Hello.");
  return `webpack ${version}: built a program with quire-agent without a warning; a turn ran`;
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
