// The start of main.js for Node. Compiling the files takes longer than running them, so the code
// cache of the build is used if it fits this version of Node, which V8 verifies. For other versions
// own-cache.js stores and reads a cache.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

const scripts = {};

exports.open = openScript;

// biome-ignore lint/correctness/noUnusedVariables: start-loader.cjs follows in the same file
function openPart(name) {
  return openScript(name).runInThisContext();
}

// biome-ignore lint/correctness/noUnusedVariables: start-loader.cjs follows in the same file
function external(name) {
  return require(name);
}

function openScript(name) {
  if (scripts[name] !== undefined) return scripts[name];
  const file = `${__dirname}/${name}.js`;
  const shipped = compiledBefore(name);
  const own = shipped === undefined ? require("./own-cache.js") : undefined;
  const cachedData = shipped ?? own.read(name);
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData });
  scripts[name] = script;
  own?.follow(name, script, cachedData === undefined || script.cachedDataRejected);
  return script;
}

function compiledBefore(name) {
  try {
    return readFileSync(`${__dirname}/${name}-${process.version}-${process.arch}.cache`);
  } catch {
    return undefined;
  }
}
