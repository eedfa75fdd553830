// Runs a TypeScript program of this project: `node scripts/run.mjs FILE.ts ARGS…`. Node 20 does not
// run TypeScript, so the program is bundled to node_modules/.cache first.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [file, ...args] = process.argv.slice(2);
const outfile = resolve(
  "node_modules/.cache/quire",
  `${file.replaceAll("/", "-")}.${process.pid}.mjs`,
);
await build({
  entryPoints: [resolve(file)],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  loader: { ".md": "text", ".lark": "text" },
  sourcemap: "inline",
  logLevel: "warning",
});
process.on("exit", () => unlinkQuietly(outfile));
process.argv = [process.argv[0], join(process.cwd(), file), ...args];
const { unlinkSync } = await import("node:fs");
function unlinkQuietly(path) {
  try {
    unlinkSync(path);
  } catch {
    // already gone
  }
}
await import(pathToFileURL(outfile).href);
