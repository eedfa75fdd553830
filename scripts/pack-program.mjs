import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const scripts = dirname(fileURLToPath(import.meta.url));

/**
 * Writes the modules of the program to a few files with a code cache, so that it starts fast.
 *
 * `start` has the modules that the app-server needs for its first response, `turn` those for a
 * plain turn, `exec` and `screen` those for a turn of `exec` and of the terminal UI, `later` those
 * for commands and `proto`, `stored` those for listing and resuming threads, `frame` those for the
 * first frame of the terminal UI, and `rest` all others.
 * Each build has a separate folder, named by a hash of its contents, so that a running program
 * keeps its files while another one is built. See docs/packaging.md.
 */
export async function packProgram(folder, modules) {
  const name = await nameOf(modules);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  if (!existsSync(join(folder, name))) await fill(join(folder, name), modules);
  await replaceFile(join(folder, "main.js"), `module.exports = require("./${name}/main.js");\n`);
  await removeOld(folder, name);
}

/**
 * Each scene is run to find out which modules it loads; a module goes to the first scene that loads
 * it.
 */
const scenes = ["start", "turn", "exec", "script", "cells", "later", "stored", "frame", "screen"];
/** The files with modules. */
export const parts = [...scenes, "rest"];
/** The scenes after which a cache is written; that of `start` and `frame` is written by a later one. */
const cachedScenes = [...scenes.filter((name) => name !== "start" && name !== "frame"), "all"];

async function nameOf(modules) {
  const hash = createHash("sha256").update(process.version).update(process.arch);
  for (const file of [
    "pack-program.mjs",
    "own-cache.cjs",
    "open-cached.cjs",
    "start-loader.cjs",
    "warm-start.cjs",
  ]) {
    hash.update(await readFile(join(scripts, file)));
  }
  for (const [name, code] of [...modules].sort()) hash.update(name).update(code);
  return hash.digest("hex").slice(0, 12);
}

async function fill(target, modules) {
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await writeParts(draft, modules, {});
  const used = {};
  for (const part of scenes) {
    const before = Object.values(used).flat();
    used[part] = (await loadedIn(draft, part)).filter((name) => !before.includes(name));
  }
  await writeParts(draft, modules, used);
  for (const scene of cachedScenes) await warmStart(draft, scene, "compile");
  // Another process may have built the same program meanwhile.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
}

async function loadedIn(draft, scene) {
  await warmStart(draft, scene, "list");
  const list = join(draft, "loaded.json");
  const names = JSON.parse(await readFile(list, "utf8"));
  await rm(list);
  return names.map((name) => name.slice(name.indexOf("/")));
}

/** Writes the modules to their files; from here on their names start with that of the file. */
async function writeParts(draft, modules, used) {
  const known = new Set(Object.values(used).flat());
  const rest = [...modules.keys()].filter((name) => !known.has(name));
  const contents = scenes.map((part) => [part, used[part] ?? []]).concat([["rest", rest]]);
  const full = new Map(
    contents.flatMap(([part, names]) => names.map((name) => [name, part + name])),
  );
  for (const [part, names] of contents) {
    await writeFile(join(draft, `${part}.js`), partScript(names, modules, full));
  }
  const main = [...full.values()].find((name) => name.endsWith("/main.js"));
  if (main === undefined) throw new Error("There is no main.js among the modules");
  await writeFile(join(draft, "main.js"), await loaderText("open-cached.cjs", main));
  await copyFile(join(scripts, "own-cache.cjs"), join(draft, "own-cache.js"));
}

/** Returns the module loader, with one of its two ways to open files. */
export async function loaderText(opener, main) {
  const texts = [opener, "start-loader.cjs"].map((file) => readFile(join(scripts, file), "utf8"));
  return (await Promise.all(texts)).join("\n").replace('load("MAIN")', `load("${main}")`);
}

/** Returns a function that takes the shared helpers and returns the modules by name. */
function partScript(names, modules, full) {
  const definitions = names.map((name) => {
    const code = modules.get(name).replaceAll(/\brequire\("(\/[^"]+)"\)/g, (text, other) => {
      return full.has(other) ? `require("${full.get(other)}")` : text;
    });
    // Read as Latin-1, which is faster.
    if (/[^\0-\x7f]/.test(code)) throw new Error(`${name} is not plain ASCII`);
    return `${JSON.stringify(full.get(name))}:function(exports,require,module,__filename){"use strict";${code}\n}`;
  });
  return `(function({__export,__toESM,__toCommonJS,__copyProps,__reExport}){return{\n${definitions.join(",\n")}}})`;
}

/** Runs the built program with a new home and project; it writes its result to `folder`. */
async function warmStart(folder, scene, wanted) {
  const home = await mkdtemp(join(tmpdir(), "quire-build-"));
  try {
    const project = join(home, "project");
    for (const [path, text] of Object.entries(projectFiles)) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), text);
    }
    await writeFile(join(home, "config.toml"), 'model = "gpt-5.5"\n');
    await writeFile(join(home, "auth.json"), '{ "OPENAI_API_KEY": "none" }\n');
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: home,
      CODEX_HOME: home,
      TERM: "xterm-256color",
    };
    const args = [join(scripts, "warm-start.cjs"), folder, scene, wanted];
    await promisify(execFile)(process.execPath, args, {
      cwd: project,
      env,
      timeout: 60_000,
      killSignal: "SIGKILL", // the program handles SIGTERM as a graceful shutdown
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A typical project: a git repository with a remote and an AGENTS.md. */
const projectFiles = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/refs/heads/main": `${"0".repeat(40)}\n`,
  ".git/config": '[remote "origin"]\n\turl = https://example.com/project.git\n',
  "AGENTS.md": "Be brief.\n",
};

async function replaceFile(path, text) {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** Programs that are still running may load more of their files. */
async function removeOld(folder, current) {
  for (const name of await readdir(folder)) {
    if (name === current || name === "main.js" || name === "package.json") continue;
    const path = join(folder, name);
    const age = Date.now() - (await stat(path).catch(() => undefined))?.mtimeMs;
    if (age > 600_000) await rm(path, { recursive: true, force: true });
  }
}
