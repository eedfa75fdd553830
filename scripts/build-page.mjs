// Builds the browser UI to dist/web: hashed modules and styles, and index.html that names them.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** Builds the page; returns esbuild's metafile. */
export async function buildPage(root) {
  const outdir = join(root, "dist/web");
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: "src/web/main.tsx", style: "src/web/style/style.css" },
    outdir,
    bundle: true,
    platform: "browser",
    target: ["chrome111", "firefox114", "safari16.4"],
    format: "esm",
    splitting: true,
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [browserTransports],
  });
  await removeUnreachable(root, metafile.outputs);
  const outputs = Object.entries(metafile.outputs);
  const nameOf = (entry) => basename(outputs.find(([, out]) => out.entryPoint === entry)[0]);
  // Modules that the first one imports would otherwise be found only when it has arrived.
  const { imports } = outputs.find(([, out]) => out.entryPoint === "src/web/main.tsx")[1];
  const preloads = imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="/${basename(path)}" />`);
  const html = (await readFile(join(root, "src/web/index.html"), "utf8"))
    .replace("STYLE", nameOf("src/web/style/style.css"))
    .replace("PRELOADS", preloads.join("\n    "))
    .replace("SCRIPT", nameOf("src/web/main.tsx"));
  await writeFile(join(outdir, "index.html"), html);
  for (const file of ["favicon.svg", "quire.webmanifest"]) {
    await cp(join(root, "src/web", file), join(outdir, file));
  }
  return metafile;
}

/** Removes modules that only unused functions of the client load. */
async function removeUnreachable(root, outputs) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { path } of outputs[file]?.imports ?? []) visit(path);
  };
  for (const file of Object.keys(outputs)) {
    if (/\/(main|style)-/.test(file)) visit(file);
  }
  for (const file of Object.keys(outputs)) if (!reached.has(file)) await rm(join(root, file));
}

/** A page has one transport, and modules of Node do not exist there. */
const browserTransports = {
  name: "browser-transports",
  setup(build) {
    build.onResolve({ filter: /transport\/(connect|index)\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "../transport/browser.ts"),
    }));
  },
};
