#!/usr/bin/env node
// Plain CommonJS without imports: `--version` answers before anything else is loaded.
"use strict";
const [, called, ...args] = process.argv;
const name = /[\\/]codex(\.\w+)?$/.test(called) ? "codex" : "quire";
const version = () => require("../package.json").version;
if (name === "quire" && (args[0] === "--version" || args[0] === "-V")) {
  try {
    // The stream of standard output alone takes longer to load than all this.
    require("node:fs").writeSync(1, `quire ${version()}\n`);
  } catch {
    process.exitCode = 1; // nobody reads it
  }
} else {
  const { main } = require("../dist/cli/main.js");
  main(args, { name, version }).then(() => {
    // Once all is written: nobody should wait for Node to take down its heap piece by piece.
    process.stdout.write("", () => process.stderr.write("", () => process.exit()));
  });
}
