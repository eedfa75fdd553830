// Becomes main.js beside the files with the modules of the program (`parts`). Compiling them takes
// longer than running them, so the code cache of the build is used if it fits this version of Node,
// which V8 verifies. For other versions own-cache.js stores and reads a cache. See
// docs/packaging.md.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

const scripts = {};
const loaded = new Map();
/** Modules of each opened file; module names start with the name of their file. */
const parts = {};
for (const name of ["start", "turn", "exec", "later", "stored", "screen", "rest"])
  parts[name] = null;

/** Helpers of esbuild's output, shared by all modules. */
const helpers = {
  __export(target, all) {
    for (const name in all)
      Object.defineProperty(target, name, { get: all[name], enumerable: true });
  },
  __copyProps(to, from, except) {
    if (from === null || (typeof from !== "object" && typeof from !== "function")) return to;
    for (const key of Object.getOwnPropertyNames(from)) {
      if (key === except || Object.hasOwn(to, key)) continue;
      const enumerable = Object.getOwnPropertyDescriptor(from, key)?.enumerable ?? true;
      Object.defineProperty(to, key, { get: () => from[key], enumerable });
    }
    return to;
  },
  /** Our own modules are returned unchanged; others get a `default`. */
  __toESM(module, isNodeMode) {
    if (ours.has(module)) return module;
    const target = module == null ? {} : Object.create(Object.getPrototypeOf(module));
    if (isNodeMode || !module?.__esModule) {
      Object.defineProperty(target, "default", { value: module, enumerable: true });
    }
    return helpers.__copyProps(target, module);
  },
  __toCommonJS: (module) =>
    helpers.__copyProps(Object.defineProperty({}, "__esModule", { value: true }), module),
  __reExport(target, module, second) {
    helpers.__copyProps(target, module, "default");
    if (second) helpers.__copyProps(second, module, "default");
  },
};

const ours = new WeakSet();

module.exports = { ...load("MAIN"), load, loaded, open: openScript };

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const part = name.slice(0, name.indexOf("/"));
  if (!(part in parts)) return require(name);
  parts[part] ??= openScript(part).runInThisContext()(helpers);
  const module = { exports: {} };
  ours.add(module.exports);
  loaded.set(name, module);
  parts[part][name](module.exports, load, module, __filename);
  return module.exports;
}

function openScript(name) {
  if (scripts[name] !== undefined) return scripts[name];
  const file = `${__dirname}/${name}.js`;
  const shipped = compiledBefore(name);
  const cachedData = shipped ?? require("./own-cache.js").read(name);
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData });
  scripts[name] = script;
  const isMissing = cachedData === undefined || script.cachedDataRejected;
  if (isMissing && shipped === undefined) require("./own-cache.js").storeLater(name, script);
  return script;
}

function compiledBefore(name) {
  try {
    return readFileSync(`${__dirname}/${name}-${process.version}-${process.arch}.cache`);
  } catch {
    return undefined;
  }
}
