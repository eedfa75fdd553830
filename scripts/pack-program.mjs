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
 * Lays the modules of the program out so that it starts fast, in a few files that are compiled ahead.
 *
 * `start` has what the app-server needs to answer its first request, `turn` what it needs besides for a
 * plain turn, `exec` and `screen` what `exec` and the terminal UI need for one, `later` what commands and
 * `proto` need, `stored` what lists and resumes threads, and `rest` all else. Each build has a folder of its
 * own, named by what is in it, so that a program that runs while another one is built keeps its own files.
 */
export async function packProgram(folder, modules) {
  const name = await nameOf(modules);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  if (!existsSync(join(folder, name))) await fill(join(folder, name), modules);
  await replaceFile(join(folder, "main.js"), `module.exports = require("./${name}/main.js");\n`);
  await removeOld(folder, name);
}

/** Each is played to find out what it needs; a module is in the file of the first that does. */
const scenes = ["start", "turn", "exec", "later", "stored", "screen"];

async function nameOf(modules) {
  const hash = createHash("sha256").update(process.version).update(process.arch);
  for (const file of ["pack-program.mjs", "own-cache.cjs", "start-loader.cjs", "warm-start.cjs"]) {
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
  for (const scene of [...scenes.slice(1), "all"]) await warmStart(draft, scene, "compile");
  // Someone else may have built the same meanwhile.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
}

async function loadedIn(draft, scene) {
  await warmStart(draft, scene, "list");
  const list = join(draft, "loaded.json");
  const names = JSON.parse(await readFile(list, "utf8"));
  await rm(list);
  return names.map((name) => name.slice(name.indexOf("/")));
}

/** Writes the files with the modules, which from then on are named after the file they are in. */
async function writeParts(draft, modules, used) {
  const known = new Set(Object.values(used).flat());
  const rest = [...modules.keys()].filter((name) => !known.has(name));
  const parts = scenes.map((part) => [part, used[part] ?? []]).concat([["rest", rest]]);
  const full = new Map(parts.flatMap(([part, names]) => names.map((name) => [name, part + name])));
  for (const [part, names] of parts) {
    await writeFile(join(draft, `${part}.js`), partScript(names, modules, full));
  }
  const main = [...full.values()].find((name) => name.endsWith("/main.js"));
  if (main === undefined) throw new Error("There is no main.js among the modules");
  const loader = await readFile(join(scripts, "start-loader.cjs"), "utf8");
  await writeFile(join(draft, "main.js"), loader.replace("MAIN", main));
  await copyFile(join(scripts, "own-cache.cjs"), join(draft, "own-cache.js"));
}

/** A function of the helpers that the modules share, which returns them by name. */
function partScript(names, modules, full) {
  const definitions = names.map((name) => {
    const code = modules.get(name).replaceAll(/\brequire\("(\/[^"]+)"\)/g, (text, other) => {
      return full.has(other) ? `require("${full.get(other)}")` : text;
    });
    // It is read as Latin-1, which is quicker.
    if (/[^\0-\x7f]/.test(code)) throw new Error(`${name} is not plain ASCII`);
    return `${JSON.stringify(full.get(name))}:function(exports,require,module,__filename){"use strict";${code}\n}`;
  });
  return `(function({__export,__toESM,__toCommonJS,__copyProps,__reExport}){return{\n${definitions.join(",\n")}}})`;
}

/** Runs the built program in a new home and a project; it leaves in its folder what it was asked for. */
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
    const env = { PATH: process.env.PATH ?? "", HOME: home, CODEX_HOME: home };
    const args = [join(scripts, "warm-start.cjs"), folder, scene, wanted];
    await promisify(execFile)(process.execPath, args, {
      cwd: project,
      env,
      timeout: 60_000,
      killSignal: "SIGKILL", // it takes a milder one for the wish to end in good order
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A project as most are: under git, on a branch that was pushed, with a word to the model. */
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

/** Programs that were started a while ago may still load a part of theirs. */
async function removeOld(folder, current) {
  for (const name of await readdir(folder)) {
    if (name === current || name === "main.js" || name === "package.json") continue;
    const path = join(folder, name);
    const age = Date.now() - (await stat(path).catch(() => undefined))?.mtimeMs;
    if (age > 600_000) await rm(path, { recursive: true, force: true });
  }
}
