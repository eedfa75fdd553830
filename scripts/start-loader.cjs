// Becomes main.js beside the files with the modules of the program (`parts`), after one of two
// starts: open-cached.cjs for Node, open-embedded.cjs for the single-file executable. These define
// `openPart`, which returns the function of a file that takes the helpers and returns its modules,
// and `external`, which loads everything else. See docs/packaging.md.
/* global openPart, external */
const loaded = new Map();
/** Modules of each opened file; module names start with the name of their file. */
const parts = {};
for (const name of "start turn exec script cells later stored frame screen rest".split(" "))
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

Object.assign(exports, load("MAIN"), { load, loaded });

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const part = name.slice(0, name.indexOf("/"));
  if (!(part in parts)) return external(name);
  parts[part] ??= openPart(part)(helpers);
  const module = { exports: {} };
  ours.add(module.exports);
  loaded.set(name, module);
  parts[part][name](module.exports, load, module, __filename);
  return module.exports;
}
