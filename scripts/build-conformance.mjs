// Builds the package quire-conformance: the kit in one file, and the recorded traces as data. The traces are not part of
// this repository; they are read from ../shared, or from the folder given as `--shared DIR`.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { shared: { type: "string" } } });
const shared = resolve(values.shared ?? process.env.QUIRE_SHARED ?? join(root, "../shared"));
const sources = ["traces", "traces-166"].map((name) => join(shared, name));
const missing = sources.filter((folder) => !existsSync(folder));
if (missing.length > 0) {
  console.error(
    `Cannot build quire-conformance: there is no ${missing.join(" and no ")}. ` +
      "Name the folder that holds the recorded traces: node scripts/build-conformance.mjs --shared DIR",
  );
  process.exit(1);
}

const target = join(root, "packages/conformance");
const dist = join(target, "dist");
rmSync(dist, { recursive: true, force: true });
await bundle("conformance/kit/main.ts", join(dist, "main.js"));
chmodSync(join(dist, "main.js"), 0o755);
await copyTraces(join(dist, "traces"));
cpSync(join(root, "LICENSE"), join(target, "LICENSE"));

async function bundle(entry, outfile) {
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "warning",
  });
}

/** Copies the conversations of all folders into one, with what is known about them. */
async function copyTraces(folder) {
  mkdirSync(folder, { recursive: true });
  const indexes = [];
  for (const source of sources) {
    indexes.push(readFileSync(join(source, "INDEX.md"), "utf8"));
    for (const entry of readdirSync(source, { withFileTypes: true })) {
      // The files that sessions left on disk are no conversations.
      if (!entry.isDirectory() || ["rollout", "history"].includes(entry.name)) continue;
      cpSync(join(source, entry.name), join(folder, entry.name), { recursive: true });
    }
  }
  writeFileSync(join(folder, "INDEX.md"), indexes.join("\n"));
  cpSync(join(root, "conformance/adaptations.json"), join(folder, "adaptations.json"));
  const reader = join(dist, "describe.mjs");
  await bundle("conformance/kit/describe.ts", reader);
  const { describe } = await import(pathToFileURL(reader).href);
  const manifest = await describe(folder);
  rmSync(reader);
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(`${manifest.traces.length} traces, format ${manifest.format}`);
}
