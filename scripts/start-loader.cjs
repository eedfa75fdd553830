// Becomes main.js beside start.js, the code that every session runs, and later.js, what runs of `exec`
// and of the app-server need besides. Compiling that code takes longer than running it, so what V8 made of
// it when it was built is used where it fits this version of Node; V8 itself looks whether it does.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

const scripts = {};
module.exports = { ...open("start")(require, () => open("later")), scripts };

function open(name) {
  const file = `${__dirname}/${name}.js`;
  const options = { filename: file, cachedData: compiledBefore(name) };
  scripts[name] = new Script(readFileSync(file, "latin1"), options);
  return scripts[name].runInThisContext();
}

function compiledBefore(name) {
  try {
    return readFileSync(`${__dirname}/${name}-${process.version}-${process.arch}.cache`);
  } catch {
    return undefined;
  }
}
