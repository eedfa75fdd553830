// Starts a session of the built program and ends it, then keeps what that taught: the files it loaded,
// or, when these are one file already, what V8 made of it. `node warm-start.cjs MAIN OUTPUT`
"use strict";
const { writeFileSync } = require("node:fs");
const { basename, dirname } = require("node:path");

const [, , program, output] = process.argv;
const { main, script } = require(program);
process.on("exit", () => writeFileSync(output, script?.createCachedData() ?? loadedFiles()));
main(["proto"], { name: "quire", version: () => "0" });

function loadedFiles() {
  const files = Object.keys(require.cache).filter((file) => dirname(file) === dirname(program));
  return JSON.stringify(files.map((file) => basename(file)));
}
