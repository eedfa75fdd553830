// Builds dist/: the program as CommonJS in a few files (faster to load than ES modules), the
// library as ES modules, the browser UI, its declarations, and the licenses and the list of bundled libraries. `--quick` skips
// the declarations, `--types` builds only them. See docs/packaging.md.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { browserTransports, buildExport, buildPage } from "./build-page.mjs";
import { buildProgram } from "./build-program.mjs";
import { documentTypes } from "./document-types.mjs";
import { bundledPackages, noticesText } from "./notices.mjs";
import { packProgram } from "./pack-program.mjs";
import { packTypes } from "./pack-types.mjs";
import { pureSchemas } from "./pure-schemas.mjs";
import { sbomText } from "./sbom.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const quick = process.argv.includes("--quick");
const onlyTypes = process.argv.includes("--types");

// Some bundled libraries are CommonJS and load Node's modules with `require`. Unlike
// `createRequire`, this works in bundles of any format, and hides optional packages from bundlers,
// as if they were not installed.
const builtinOnly =
  "const __builtin=(name)=>{const found=process.getBuiltinModule(name);" +
  'if(found===undefined)throw new Error("Quire is built without "+name);return found};';

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  loader: { ".md": "text", ".lark": "text" },
  external: ["@lydell/node-pty"], // optional at run time
  alias: { "@grpc/proto-loader": join(root, "scripts/no-proto-loader.mjs") },
  legalComments: "none",
  logLevel: "warning",
};

if (onlyTypes) {
  await buildTypes();
} else {
  if (!quick) await rm(join(root, "dist"), { recursive: true, force: true });
  const metafiles = await Promise.all([
    packed(),
    buildLibrary(),
    buildBrowserClient(),
    buildPage(root, "web"),
    buildPage(root, "inspect"),
    buildExport(root),
  ]);
  // The declarations of typebox are in dist/types.
  const folders = [...bundledPackages(metafiles), "node_modules/typebox"];
  await writeFile(join(root, "dist/THIRD-PARTY-NOTICES.txt"), noticesText(root, folders));
  await writeFile(join(root, "dist/sbom.cdx.json"), sbomText(root, folders));
  if (!quick) await buildTypes();
}

async function packed() {
  const { pieces, metafile } = await buildProgram(shared, "src/cli/main.ts");
  await packProgram(join(root, "dist/cli"), pieces);
  return metafile;
}

async function buildLibrary() {
  const entryPoints = Object.keys(doors()).map((out) => {
    const inside = out === "index" ? "src/index.ts" : `src/${out}/index.ts`;
    return { out, in: inside };
  });
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints,
    outdir: join(root, "dist"),
    chunkNames: "lib/[hash]",
    plugins: [pureSchemas],
    metafile: true,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, withBuiltins(text));
  }
  for (const { require, default: module } of Object.values(doors())) {
    const text = `module.exports = require("./${basename(module)}");\n`;
    await writeFile(join(root, require.default), text);
  }
  return metafile;
}

/** A page has no other transport than WebSocket, and no modules of Node. */
async function buildBrowserClient() {
  const { metafile } = await build({
    ...shared,
    platform: "browser",
    external: [],
    entryPoints: { "client.browser": "src/client/index.ts" },
    outdir: join(root, "dist"),
    chunkNames: "lib/[hash]",
    plugins: [pureSchemas, browserTransports],
    metafile: true,
  });
  return metafile;
}

/** Added only to files that use it, so that a browser can load the others. */
function withBuiltins(text) {
  if (!text.includes('__require("')) return text;
  return builtinOnly + text.replaceAll('__require("', '__builtin("');
}

async function buildTypes() {
  const command = [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.types.json"];
  execFileSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  packTypes({
    types: join(root, "dist/types"),
    entries: Object.values(doors()).map(({ types }) => declarationsOf(types)),
    typebox: join(root, "node_modules/typebox"),
  });
  documentTypes(join(root, "dist/types/protocol"), await schemasByFile());
  // Modules and CommonJS programs get the same module, and its types in a file of their kind.
  for (const { require, types } of Object.values(doors())) {
    const text = `export * from "./${basename(types, ".d.mts")}.js";\n`;
    await Promise.all([types, require.types].map((file) => writeFile(join(root, file), text)));
  }
}

/** Returns the declarations that the compiler writes for an entry of the package. */
function declarationsOf(types) {
  return join(root, types.replace(/\.d\.mts$/, ".d.ts"));
}

/** Returns the exports of the files that declare schemas, by their paths without ending. */
async function schemasByFile() {
  const folder = join(root, "src/protocol");
  const files = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith(".ts") && readFileSync(join(folder, name), "utf8").includes("Static<"),
  );
  const contents = files.map((name, at) => `export * as file${at} from "./${name}";`).join("\n");
  const outfile = join(root, "dist/schemas.mjs");
  const stdin = { contents, resolveDir: folder, loader: "ts" };
  await build({ ...shared, splitting: false, stdin, outfile });
  const modules = await import(pathToFileURL(outfile).href);
  await rm(outfile);
  return new Map(files.map((name, at) => [name.slice(0, -3), modules[`file${at}`]]));
}

/**
 * Returns the exports of package.json by the name of the built file: `index`, `engine`, `client`…
 */
function doors() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = Object.values(exports).filter((door) => typeof door === "object");
  return Object.fromEntries(modules.map((door) => [basename(door.default, ".js"), door]));
}
