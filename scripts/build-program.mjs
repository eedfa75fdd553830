import { basename, join, posix, relative } from "node:path";
import { build, transform } from "esbuild";
import { toLazy } from "./lazy-imports.mjs";
import { toPlainExports } from "./plain-exports.mjs";

/**
 * Bundles the program into one piece of CommonJS for each module, by a name such as `/cli/main.js`; also
 * returns esbuild's metafile.
 *
 * Each module of ours is loaded when something of it is first used, not when it is imported: none does
 * work at import time, so nobody sees the difference but the clock. Libraries keep their order.
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
  // As an entry of its own each module stays by itself; otherwise those used together would be joined.
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
  // What libraries use to require other modules from where they are.
  const define = { "import.meta.url": "__filename" };
  const result = await transform(code, {
    ...options,
    define,
    supported: { "dynamic-import": false },
  });
  return withLateEmoji(withoutHelpers(result.code.trimEnd()));
}

/** Every module begins with what is injected, also those that have no use for it. */
function withoutIdleInjection(code) {
  if (code.includes("LateSegmenter")) return code;
  return code.replace(/\(0,import_[\w$]+\.init_late_segmenter\)\(\)/, "0");
}

/** The set of all emoji takes a sixtieth of a second to make: it is made for the first text with one. */
function withLateEmoji(code) {
  const made = 'new RegExp("^\\\\p{RGI_Emoji}$","v")';
  return code.replace(`=${made}`, () => `={test(text){return(this.made??=${made}).test(text)}}`);
}

/** All pieces share one copy of what esbuild puts in front of each; see `pack-program.mjs`. */
function withoutHelpers(code) {
  const head = "var stdin_exports={};__export(stdin_exports,";
  const at = code.indexOf(head);
  if (at < 0) return code;
  const end = "module.exports=__toCommonJS(stdin_exports);";
  return `__export(exports,${code.slice(at + head.length).replace(end, "")}`;
}

/** Relative names become those that the pieces are known by; texts may hold code of their own. */
function withNames(code, name, names) {
  return code.replaceAll(/\brequire\("(\.[^"]+)"\)/g, (text, path) => {
    const known = posix.join(posix.dirname(name), path);
    return names.has(known) ? `require("${known}")` : text;
  });
}

/** Entries that nothing loads are left out. */
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
