#!/usr/bin/env node
// Plain CommonJS without imports: `--version` answers before anything else is loaded.
"use strict";
const { argv, argv0, env, platform, ppid } = process;
const [, called, ...args] = argv;
const name = isCodex() ? "codex" : "quire";
const version = () => require("../package.json").version;
const isPlain = name === "quire" && !env.QUIRE_AS;
if (isPlain && (args[0] === "--version" || args[0] === "-V")) {
  try {
    // Loading the stream of standard output takes longer than all this.
    require("node:fs").writeSync(1, `quire ${version()}\n`);
  } catch {
    process.exitCode = 1; // the reader has closed the pipe
  }
} else {
  program()
    .main(args, { name, version })
    .then(() => {
      // Exits as soon as everything is written, instead of waiting for Node to free its heap.
      process.stdout.write("", () => process.stderr.write("", () => process.exit()));
    });
}

/** A clone has no `dist` before its first build. */
function program() {
  try {
    return require("../dist/cli/main.js");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" || !error.message.includes("dist/cli/main.js"))
      throw error;
    process.stderr.write("quire: this clone is not built: run `npm ci && npm run build` in it\n");
    process.exit(1);
  }
}

/**
 * Returns whether the user typed `codex`: the name of a link to this file, the name given by
 * `exec -a`, or a script of that name that starts this file. Such a script is seen as our parent
 * process while it waits for us; if it was replaced by us, as `_` of the shell that started it.
 */
function isCodex() {
  if (isNamedCodex(called) || isNamedCodex(argv0)) return true;
  return (isNamedCodex(env._) && startsQuire(env._)) || isParentCodex();
}

function isNamedCodex(path) {
  return path !== undefined && /(^|[\\/])codex(\.\w+)?$/.test(path);
}

/** `_` is inherited from any program of that name, also from Codex itself. */
function startsQuire(file) {
  try {
    const text = require("node:fs").readFileSync(file, "latin1");
    return text.startsWith("#!") && text.includes("quire");
  } catch {
    return false;
  }
}

/** The command line of a script is its interpreter, perhaps an option, and the script's path. */
function isParentCodex() {
  if (platform !== "linux") return false;
  try {
    const line = require("node:fs").readFileSync(`/proc/${ppid}/cmdline`, "latin1");
    const script = line.split("\0", 3).find((word, at) => at > 0 && !word.startsWith("-"));
    return isNamedCodex(script) && startsQuire(script);
  } catch {
    return false;
  }
}
