// Becomes own-cache.js beside main.js, which loads it only if the package has no code cache for
// this version of Node: stores the compiled files at the end of the first run, for later runs. A cache
// has the functions that its run used, so each kind of command has caches of its own, and a run that
// opens a file for which there is none yet stores all of its files again.
"use strict";
const fs = require("node:fs");
const { homedir } = require("node:os");
const { basename, join } = require("node:path");
// V8 checks the length and the version of a cache, not its content: one wrong byte can crash it at every start.
const { crc32 } = require("node:zlib");

const home = process.env.CODEX_HOME || join(homedir(), ".codex");
// In the state folder, which sandboxed commands cannot write: its contents run outside the sandbox.
const root = join(home, "quire", "compiled");
const folder = join(root, basename(__dirname));
const kind = kindOf(process.argv[2]);
const fileOf = (name) => join(folder, `${name}-${kind}-${process.version}-${process.arch}.cache`);
const opened = new Map();
let isComplete = true;

/** Returns the kind of a command; a prompt or options start the terminal UI. */
function kindOf(command = "") {
  if (["app-server", "exec", "mcp-server", "proto"].includes(command)) return command;
  return command === "" || /^-|\s/.test(command) ? "tui" : "other";
}

/** Returns the cache of an earlier run, unless another user could have written it or parts of it are lost. */
exports.read = (name) => {
  try {
    const file = fs.openSync(fileOf(name), "r");
    try {
      const { uid, mode } = fs.fstatSync(file);
      const isOurs = process.getuid === undefined || (uid === process.getuid() && !(mode & 0o022));
      return isOurs ? checked(fs.readFileSync(file)) : undefined;
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return undefined;
  }
};

/** Returns the data of a file without its checksum; undefined if it does not match. */
function checked(stored) {
  const data = stored.subarray(0, Math.max(stored.length - 4, 0));
  return stored.length > 4 && stored.readUInt32LE(data.length) === crc32(data) ? data : undefined;
}

/** Registers a file that was opened; if its cache is missing, all are stored when the program exits. */
exports.follow = (name, script, isMissing) => {
  if (opened.size === 0) process.once("exit", store);
  opened.set(name, script);
  if (isMissing) isComplete = false;
};

function store() {
  if (isComplete || !fs.existsSync(home)) return;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, script] of opened) {
      const draft = `${fileOf(name)}.${process.pid}`;
      const data = script.createCachedData();
      const end = Buffer.alloc(4);
      end.writeUInt32LE(crc32(data));
      fs.writeFileSync(draft, Buffer.concat([data, end]), { mode: 0o600, flush: true });
      fs.renameSync(draft, fileOf(name));
    }
    removeOld();
  } catch {
    // The next run is as slow as this one.
  }
}

/** Removes caches of builds that were not used for a month. */
function removeOld() {
  for (const name of fs.readdirSync(root)) {
    const path = join(root, name);
    const isOld = Date.now() - fs.statSync(path).mtimeMs > 30 * 24 * 3_600_000;
    if (isOld && path !== folder) fs.rmSync(path, { recursive: true, force: true });
  }
}
