// Builds the browser UI to dist/web and the page of the inspector to dist/inspect: hashed modules and
// styles, and index.html that names them. The code of exported files goes to dist/export, as one script and one style.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const icons = ["", "-waiting", "-running", "-done", "-failed"].map(
  (state) => `favicon${state}.svg`,
);

/** The pages: folder in dist, module, style, document, and other files. */
const pages = {
  web: {
    main: "src/web/main.tsx",
    style: "src/web/style/style.css",
    html: "src/web/index.html",
    files: [...icons, "quire.webmanifest"],
  },
  inspect: {
    main: "src/web/inspect/main.tsx",
    style: "src/web/inspect/style.css",
    html: "src/web/inspect/index.html",
    files: ["favicon.svg"],
  },
};

/** Builds a page; returns esbuild's metafile. */
export async function buildPage(root, page = "web") {
  const { main, style, html: source, files } = pages[page];
  const outdir = join(root, "dist", page);
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main, style },
    outdir,
    ...common,
    format: "esm",
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    plugins: [browserTransports],
  });
  await removeUnreachable(root, metafile.outputs);
  const outputs = Object.entries(metafile.outputs);
  const nameOf = (entry) => basename(outputs.find(([, out]) => out.entryPoint === entry)[0]);
  // Modules that the first one imports would otherwise be found only when it has arrived.
  const { imports } = outputs.find(([, out]) => out.entryPoint === main)[1];
  const preloads = imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="/${basename(path)}" />`);
  const html = (await readFile(join(root, source), "utf8"))
    .replace("STYLE", nameOf(style))
    .replace("PRELOADS", preloads.join("\n    "))
    .replace("SCRIPT", nameOf(main));
  await writeFile(join(outdir, "index.html"), html);
  for (const file of files) await cp(join(root, "src/web", file), join(outdir, file));
  return metafile;
}

/** Builds the code of exported files; returns esbuild's metafile. */
export async function buildExport(root) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: "src/web/export/main.tsx", style: "src/web/style/style.css" },
    outdir: join(root, "dist/export"),
    ...common,
    format: "iife",
  });
  return metafile;
}

const common = {
  bundle: true,
  platform: "browser",
  target: ["chrome111", "firefox114", "safari16.4"],
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

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
export const browserTransports = {
  name: "browser-transports",
  setup(build) {
    build.onResolve({ filter: /transport\/(connect|index)\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "../transport/browser.ts"),
    }));
  },
};
