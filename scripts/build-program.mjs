import { basename, join, posix, relative } from "node:path";
import { build, transform } from "esbuild";
import { toLazy } from "./lazy-imports.mjs";
import { toPlainExports } from "./plain-exports.mjs";

/**
 * Bundles the program into one piece of CommonJS per module, by names such as `/cli/main.js`; also
 * returns esbuild's metafile.
 *
 * Each module of `src/` is loaded on first use instead of on import. None does work at import time,
 * so only the timing changes. Libraries keep their order. See docs/packaging.md.
 */
export async function buildProgram(options, entry) {
  const outdir = join(options.absWorkingDir, "dist/cli");
  const common = {
    ...options,
    outdir,
    write: false,
    metafile: true,
    inject: [join(options.absWorkingDir, "scripts/late-segmenter.mjs")],
    define: { "Intl.Segmenter": "LateSegmenter" },
  };
  const { metafile } = await build({ ...common, entryPoints: [entry] });
  const modules = Object.keys(metafile.inputs).filter((path) => isOurs(path));
  // As a separate entry each module stays a separate piece; otherwise esbuild would merge modules
  // that are used together.
  const { outputFiles, metafile: split } = await build({
    ...common,
    entryPoints: modules,
    outbase: "src",
    chunkNames: "chunk/[name]-[hash]",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  const pieces = new Map();
  const names = new Set(outputFiles.map(({ path }) => `/${relative(outdir, path)}`));
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { inputs } = split.outputs[relative(options.absWorkingDir, path)];
      const name = `/${relative(outdir, path)}`;
      const code = withNames(withoutIdleInjection(await toCommonJs(text)), name, names);
      const mayWait = Object.keys(inputs).every((input) => isOurs(input));
      pieces.set(name, mayWait ? toLazy(toPlainExports(code)) : code);
    }),
  );
  return { pieces: onlyUsed(pieces, `/cli/${basename(entry, ".ts")}.js`), metafile };
}

function isOurs(path) {
  return path.startsWith("src/") && /\.[jt]s$/.test(path);
}

async function toCommonJs(code) {
  const options = { format: "cjs", target: "node20", minifySyntax: true, minifyWhitespace: true };
  // Libraries use it to require other modules relative to themselves.
  const define = { "import.meta.url": "__filename" };
  const result = await transform(code, {
    ...options,
    define,
    supported: { "dynamic-import": false },
  });
  return withLateEmoji(withoutHelpers(result.code.trimEnd()));
}

/**
 * esbuild calls the injected initializer in every module; removes it from those that do not use it.
 */
function withoutIdleInjection(code) {
  if (code.includes("LateSegmenter")) return code;
  return code.replace(/\(0,import_[\w$]+\.init_late_segmenter\)\(\)/, "0");
}

/**
 * Creating the set of all emoji takes 16 ms: it is created for the first text that contains one.
 */
function withLateEmoji(code) {
  const made = 'new RegExp("^\\\\p{RGI_Emoji}$","v")';
  return code.replace(`=${made}`, () => `={test(text){return(this.made??=${made}).test(text)}}`);
}

/** All pieces share one copy of esbuild's helpers; see `pack-program.mjs`. */
function withoutHelpers(code) {
  const head = "var stdin_exports={};__export(stdin_exports,";
  const at = code.indexOf(head);
  if (at < 0) return code;
  const end = "module.exports=__toCommonJS(stdin_exports);";
  return `__export(exports,${code.slice(at + head.length).replace(end, "")}`;
}

/**
 * Replaces relative names with the names of pieces. String literals may contain code, so unknown
 * names stay.
 */
function withNames(code, name, names) {
  return code.replaceAll(/\brequire\("(\.[^"]+)"\)/g, (text, path) => {
    const known = posix.join(posix.dirname(name), path);
    return names.has(known) ? `require("${known}")` : text;
  });
}

/** Drops pieces that nothing loads. */
function onlyUsed(pieces, main) {
  const used = new Map();
  const wanted = [main];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (used.has(name)) continue;
    const code = pieces.get(name) ?? "";
    used.set(name, code);
    for (const [, next] of code.matchAll(/\brequire\("(\/[^"]+)"\)/g)) {
      if (pieces.has(next)) wanted.push(next);
    }
  }
  return used;
}
