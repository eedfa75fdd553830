// Becomes main.js beside start.js, the code that every session runs. Compiling that code takes longer
// than running it, so what V8 made of it when it was built is used where it fits this version of Node;
// V8 itself looks whether it does.
"use strict";
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");

const file = `${__dirname}/start.js`;
const script = new Script(readFileSync(file, "latin1"), {
  filename: file,
  cachedData: compiledBefore(),
});
module.exports = { ...script.runInThisContext()(require), script };

function compiledBefore() {
  try {
    return readFileSync(`${__dirname}/start-${process.version}-${process.arch}.cache`);
  } catch {
    return undefined;
  }
}
