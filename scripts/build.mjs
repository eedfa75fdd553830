// Builds dist/: the program as CommonJS in a few files (Node loads that faster than ES modules),
// the library as ES modules, and its declarations. `--quick` leaves the declarations out.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildProgram } from "./build-program.mjs";
import { packProgram } from "./pack-program.mjs";
import { packTypes } from "./pack-types.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const quick = process.argv.includes("--quick");

// Some bundled libraries are CommonJS and still ask for Node's own modules by `require`.
const requireOfNode =
  'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);';

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  loader: { ".md": "text", ".lark": "text" },
  // Optional at run time; gRPC would use the loader only for a debugging service of its own.
  external: ["@lydell/node-pty", "@grpc/proto-loader"],
  legalComments: "none",
  logLevel: "warning",
};

if (!quick) await rm(join(root, "dist"), { recursive: true, force: true });
await Promise.all([packed(), buildLibrary()]);
if (!quick) buildTypes();

async function packed() {
  await packProgram(join(root, "dist/cli"), await buildProgram(shared, "src/cli/main.ts"));
}

async function buildLibrary() {
  const entryPoints = Object.keys(doors()).map((out) => {
    const inside = out === "index" ? "src/index.ts" : `src/${out}/index.ts`;
    return { out, in: inside };
  });
  const { outputFiles } = await build({
    ...shared,
    entryPoints,
    outdir: join(root, "dist"),
    chunkNames: "lib/[hash]",
    sourcemap: true,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, withRequire(text));
  }
}

/** Only the files that ask get it: the others stay free of Node, so that a browser can load them. */
function withRequire(text) {
  if (!text.includes('__require("')) return text;
  return requireOfNode + text.replaceAll('__require("', 'require("');
}

function buildTypes() {
  const command = [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.types.json"];
  execFileSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  packTypes({
    types: join(root, "dist/types"),
    entries: Object.values(doors()).map(({ types }) => join(root, types)),
    typebox: join(root, "node_modules/typebox"),
  });
}

/** What package.json exports, by the name of the built file: `index`, `engine`, `client`… */
function doors() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = Object.values(exports).filter((door) => typeof door === "object");
  return Object.fromEntries(modules.map((door) => [basename(door.default, ".js"), door]));
}
