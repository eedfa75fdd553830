// Becomes own-cache.js beside main.js, which loads it only where the package has no caches for this version
// of Node: it stores what V8 made of the program's files at the end of the first run, for the next ones.
"use strict";
const fs = require("node:fs");
const { homedir } = require("node:os");
const { basename, join } = require("node:path");

const home = process.env.CODEX_HOME || join(homedir(), ".codex");
// In the state folder, which confined commands cannot write to: what is read from here runs unconfined.
const root = join(home, "quire", "compiled");
const folder = join(root, basename(__dirname));
const fileOf = (name) => join(folder, `${name}-${process.version}-${process.arch}.cache`);
const uncompiled = new Map();

/** Returns what an earlier run stored; nothing that another user could have written. */
exports.read = (name) => {
  try {
    const file = fs.openSync(fileOf(name), "r");
    try {
      const { uid, mode } = fs.fstatSync(file);
      const isOurs = process.getuid === undefined || (uid === process.getuid() && !(mode & 0o022));
      return isOurs ? fs.readFileSync(file) : undefined;
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return undefined;
  }
};

/** Stores the compiled form of a file when the program ends, if there is a home to store it in. */
exports.storeLater = (name, script) => {
  if (uncompiled.size === 0) process.once("exit", store);
  uncompiled.set(name, script);
};

function store() {
  if (!fs.existsSync(home)) return;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, script] of uncompiled) {
      const draft = `${fileOf(name)}.${process.pid}`;
      fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
      fs.renameSync(draft, fileOf(name));
    }
    removeOld();
  } catch {
    // The next run is as slow as this one.
  }
}

/** Builds that were not stored for a month are most likely gone. */
function removeOld() {
  for (const name of fs.readdirSync(root)) {
    const path = join(root, name);
    const isOld = Date.now() - fs.statSync(path).mtimeMs > 30 * 24 * 3_600_000;
    if (isOld && path !== folder) fs.rmSync(path, { recursive: true, force: true });
  }
}
