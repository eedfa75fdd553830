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
 * Lays the chunks of the program out so that it starts fast.
 *
 * What a session loads before it can be used goes into one file, compiled ahead, and what a run of
 * `exec` loads besides into another; the rest stays in chunks. Each build has a folder of its own, named by what is in it, so that a program that runs
 * while another one is built keeps its own files.
 */
export async function packProgram(folder, chunks) {
  const name = await nameOf(chunks);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  if (!existsSync(join(folder, name))) await fill(join(folder, name), chunks);
  await replaceFile(join(folder, "main.js"), `module.exports = require("./${name}/main.js");\n`);
  await removeOld(folder, name);
}

async function nameOf(chunks) {
  const hash = createHash("sha256").update(process.version).update(process.arch);
  for (const file of ["pack-program.mjs", "start-loader.cjs", "warm-start.cjs"]) {
    hash.update(await readFile(join(scripts, file)));
  }
  for (const [name, code] of [...chunks].sort()) hash.update(name).update(code);
  return hash.digest("hex").slice(0, 12);
}

async function fill(target, chunks) {
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const write = (name, text) => writeFile(join(draft, name), text);
  await Promise.all([...chunks].map(([name, code]) => write(name, code)));

  const start = await loadedBy(draft, "start");
  const later = (await loadedBy(draft, "later")).filter((name) => !start.includes(name));
  await write("start.js", startScript(start, later, chunks));
  await write("later.js", `({${definitionsOf(later, chunks)}})`);
  for (const name of [...start, ...later]) {
    await write(name, `module.exports = require("./main.js").load("./${name}");\n`);
  }
  await copyFile(join(scripts, "start-loader.cjs"), join(draft, "main.js"));
  for (const part of ["start", "later"]) {
    await warmStart(draft, part, join(draft, `${part}-${process.version}-${process.arch}.cache`));
  }
  // Someone else may have built the same meanwhile.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
}

async function loadedBy(draft, part) {
  const output = join(draft, "loaded.json");
  await warmStart(draft, part, output);
  const names = JSON.parse(await readFile(output, "utf8"));
  await rm(output);
  return names;
}

/**
 * The chunks of the start as one script: a function of `require`, and of what opens the later ones, that
 * returns what the first chunk exports.
 */
function startScript(start, later, chunks) {
  return `(function(outside,open){
"use strict";
const definitions={${definitionsOf(start, chunks)}};
const later=new Set(${JSON.stringify(later.map((name) => `./${name}`))});
const loaded=new Map();
function load(name){
  const known=loaded.get(name);
  if(known!==undefined)return known.exports;
  if(later.has(name)){later.clear();Object.assign(definitions,open());}
  const define=definitions[name];
  if(define===undefined)return outside(name);
  const module={exports:{}};
  loaded.set(name,module);
  define(module.exports,load,module);
  return module.exports;
}
return{...load("./main.js"),load};
})`;
}

function definitionsOf(names, chunks) {
  const definitions = names.map((name) => {
    const code = chunks.get(name);
    // It is read as Latin-1, which is quicker.
    if (/[^\0-\x7f]/.test(code)) throw new Error(`${name} is not plain ASCII`);
    return `${JSON.stringify(`./${name}`)}:(function(exports,require,module){"use strict";${code}\n})`;
  });
  return definitions.join(",\n");
}

/** Runs a session in an empty home; it leaves what it taught in `output`. */
async function warmStart(folder, part, output) {
  const home = await mkdtemp(join(tmpdir(), "quire-build-"));
  try {
    await writeFile(join(home, "config.toml"), 'model = "gpt-5"\n');
    await writeFile(join(home, "auth.json"), '{ "OPENAI_API_KEY": "none" }\n');
    const env = { PATH: process.env.PATH ?? "", HOME: home, CODEX_HOME: home };
    const args = [join(scripts, "warm-start.cjs"), join(folder, "main.js"), part, output];
    const running = promisify(execFile)(process.execPath, args, { cwd: home, env });
    running.child.stdin?.end();
    await running;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

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
