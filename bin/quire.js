#!/usr/bin/env node
// Plain CommonJS without imports: `--version` answers before anything else is loaded.
"use strict";
const [first] = process.argv.slice(2);
if (first === "--version" || first === "-V") {
  process.stdout.write(`quire ${require("../package.json").version}\n`);
} else {
  require("../dist/cli/main.js").main(process.argv.slice(2));
}
