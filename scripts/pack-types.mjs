// Makes the declarations in dist/types self-contained: retains only what the package exports reach,
// and copies the declarations of typebox, which ours use. Users of the package need no other
// package to type-check against it.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Packs the declarations below `types`; `entries` are the files named in the package exports. */
export function packTypes({ types, entries, typebox }) {
  const own = follow(entries, resolveOwn);
  for (const file of filesBelow(types)) if (!own.has(file)) rmSync(file);
  removeEmptyFolders(types);
  const vendored = join(types, "typebox");
  const root = join(typebox, "build");
  const lent = follow([join(root, "index.d.mts")], resolveModule);
  for (const file of lent) {
    const target = join(vendored, relative(root, file)).replace(/\.d\.mts$/, ".d.ts");
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(file, "utf8").replace(/\.mjs(["'])/g, ".js$1"));
  }
  for (const name of ["license", "LICENSE"]) {
    if (existsSync(join(typebox, name)))
      copyFileSync(join(typebox, name), join(vendored, "LICENSE"));
  }
  for (const file of own) makeStandAlone(file, join(vendored, "index.js"));
  // Compilers with `module: node16` let a CommonJS file name declarations of CommonJS only; modules may name both.
  writeFileSync(join(types, "package.json"), '{ "type": "commonjs" }\n');
}

/** Returns all files reachable from some. */
function follow(entries, resolve) {
  const found = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    if (!existsSync(file)) throw new Error(`${file} is imported, but not there`);
    found.add(file);
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(imports)) {
      if (specifier.startsWith(".")) waiting.push(resolve(join(dirname(file), specifier)));
    }
  }
  return found;
}

const imports = /(?:^(?:import|export)\b[^;]*?\bfrom|\bimport\()\s*["']([^"']+)["']/gm;

function resolveOwn(path) {
  return path.replace(/\.js$/, ".d.ts");
}

function resolveModule(path) {
  return path.replace(/\.mjs$/, ".d.mts");
}

function makeStandAlone(file, vendored) {
  const text = readFileSync(file, "utf8");
  const path = relative(dirname(file), vendored).split(sep).join("/");
  const specifier = path.startsWith(".") ? path : `./${path}`;
  const changed = text
    .replace(/(["'])typebox\1/g, `"${specifier}"`)
    .replace(/^import (type )?\{([^}]*)\} from "(?!\.|node:)[^"]+";$/gm, (_, type, names) =>
      names
        .split(",")
        .map((name) => openType(name.trim(), type !== undefined))
        .join("\n"),
    );
  if (changed !== text) writeFileSync(file, changed);
  const [, foreign] = /^(?:import|export)\b[^;]*?\bfrom "(?!\.|node:)([^"]+)"/m.exec(changed) ?? [];
  if (foreign) throw new Error(`${file} needs the types of ${foreign}, which users do not have`);
}

/** Replaces types of bundled libraries with `any`, because users do not have those packages. */
function openType(name, isType) {
  const bare = name.replace(/^type /, "");
  if (isType || bare !== name) return `type ${bare} = any;`;
  return `declare class ${bare}<A = any, B = any, C = any> {}`;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
