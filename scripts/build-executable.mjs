// Builds the program as a single file with Bun's runtime: `npm run executable [-- --target TARGET]`
// writes `dist-bin/quire`, and `dist-bin/quire-TARGET` for another target. See docs/packaging.md.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bunFor, ownTarget, targets } from "./bun-runtime.mjs";
import { loaderText, parts } from "./pack-program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { target: { type: "string" }, out: { type: "string" } } });
const target = values.target ?? ownTarget();
if (!Object.hasOwn(targets, target)) {
  console.error(`Unknown --target: ${target} (expected one of ${Object.keys(targets).join(", ")})`);
  process.exit(2);
}
const isOwn = target === ownTarget();
const out = resolve(root, values.out ?? (isOwn ? "dist-bin/quire" : `dist-bin/quire-${target}`));
const draft = mkdtempSync(join(tmpdir(), "quire-executable-"));
try {
  await layOut();
  compile(`${draft}/first`);
  // The bytecode of what a start and a turn need lies together, so that less of the file is read.
  if (isOwn) compile(`${draft}/ordered`, await recordOrder(`${draft}/first`));
  mkdirSync(dirname(out), { recursive: true });
  copyFileSync(`${draft}/${isOwn ? "ordered" : "first"}`, `${out}.${process.pid}`);
  renameSync(`${out}.${process.pid}`, out);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
console.log(`${out} (${(statSync(out).size / 1e6).toFixed(0)} MB, ${target})`);

/** Writes the packed program, with a loader that Bun can follow, and the files that it reads. */
async function layOut() {
  const main = readFileSync(join(root, "dist/cli/main.js"), "utf8");
  const packed = join(root, "dist/cli", /"\.\/(\w+)\/main\.js"/.exec(main)?.[1] ?? "");
  const cli = join(draft, "dist/cli");
  for (const folder of ["bin", "dist/cli"]) mkdirSync(join(draft, folder), { recursive: true });
  for (const file of [
    "bin/quire.js",
    "bin/package.json",
    "package.json",
    "dist/cli/package.json",
  ]) {
    copyFileSync(join(root, file), join(draft, file));
  }
  const loader = readFileSync(join(packed, "main.js"), "utf8");
  const first = /load\("(\w+\/cli\/main\.js)"\)/.exec(loader)?.[1];
  writeFileSync(join(cli, "main.js"), await loaderText("open-embedded.cjs", first));
  for (const part of parts) {
    const code = readFileSync(join(packed, `${part}.js`), "latin1");
    writeFileSync(join(cli, `${part}.js`), `module.exports=${code}`);
  }
  cpSync(join(root, "schema"), join(draft, "assets/schema"), { recursive: true });
  for (const name of ["web", "inspect", "export"]) {
    cpSync(join(root, "dist", name), join(draft, "assets/dist", name), { recursive: true });
  }
  copyFileSync(
    join(root, "dist/THIRD-PARTY-NOTICES.txt"),
    join(draft, "assets/dist/THIRD-PARTY-NOTICES.txt"),
  );
}

function compile(file, orders = []) {
  const args = [
    ...["build", "bin/quire.js", "--compile", "--bytecode", "--format=cjs", "--minify-whitespace"],
    ...["--minify-syntax", `--target=bun-${targets[target].bun}`, `--outfile=${file}`],
    `--compile-executable-path=${bunFor(target)}`,
    // Files of the folder that the program is started in must not change how it runs.
    ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
    ...["--asset=assets/schema", "--asset=assets/dist"],
    ...orders.map((order) => `--bytecode-order=${order}`),
  ];
  const { status, stderr } = spawnSync(bunFor(ownTarget()), args, { cwd: draft, encoding: "utf8" });
  if (status !== 0 || !existsSync(file)) throw new Error(`Bun cannot build ${file}: ${stderr}`);
}

/** Runs what users start most, and returns the files in which Bun wrote the order of the functions. */
async function recordOrder(file) {
  const home = join(draft, "home");
  mkdirSync(home);
  writeFileSync(join(draft, "answers.json"), JSON.stringify([[{ message: "Hello." }]]));
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, OPENAI_API_KEY: "none" };
  const model = spawn(file, ["mock-model", "answers.json"], { cwd: draft, env });
  try {
    const [line] = await once(model.stdout, "data");
    const url = /http:\/\/\S+/.exec(String(line))?.[0];
    const served = join(draft, "served.order");
    const hello = {
      id: 0,
      method: "initialize",
      params: { clientInfo: { name: "build", version: "1" } },
    };
    execFileSync(file, ["app-server"], {
      env: { ...env, BUN_BYTECODE_ORDER_OUT: served },
      input: `${JSON.stringify(hello)}\n`,
    });
    const ran = join(draft, "ran.order");
    const provider = `model_providers.build={name="build",base_url="${url}"}`;
    execFileSync(
      file,
      ["exec", "--skip-git-repo-check", "-c", provider, "-c", 'model_provider="build"', "hi"],
      {
        cwd: home,
        env: { ...env, BUN_BYTECODE_ORDER_OUT: ran },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    return [served, ran];
  } finally {
    model.kill();
  }
}
