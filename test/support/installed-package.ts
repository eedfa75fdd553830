import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { listenScriptedModel, type Script } from "../../src/model/scripted/index.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/** A project that has the packed package installed and nothing else. */
export interface Project extends AsyncDisposable {
  folder: string;
  /** The installed package. */
  package: string;
  /** Runs a program in the project, on a scripted model; rejects unless it exits with 0. */
  run(file: string, script?: Script): Promise<{ stdout: string; requests: number }>;
  /** Writes a file of the project and returns its path. */
  write(name: string, text: string): Promise<string>;
}

/** Packs the built package and installs it in a new project, without a network. */
export async function installPackage(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "quire-package-"));
  const project = join(folder, "project");
  const home = join(folder, "home");
  await Promise.all([mkdir(project), mkdir(home)]);
  if (!existsSync(join(root, "dist/types"))) await run("node", ["scripts/build.mjs", "--types"]);
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse((await run("npm", pack, { cwd: root })).stdout);
  await writeFile(join(project, "package.json"), '{ "name": "project", "private": true }\n');
  // npm needs only the tarball; optional packages must not be looked up elsewhere.
  const install = ["install", "--offline", "--omit=optional", "--no-audit", "--no-fund"];
  await run("npm", [...install, join(folder, filename)], { cwd: project });
  return {
    folder: project,
    package: join(project, "node_modules/quire-agent"),
    async run(file, script = { answers: [[{ message: "Hello." }]], after: "repeat" }) {
      await using model = await listenScriptedModel({ script });
      const base = `openai_base_url = ${JSON.stringify(model.baseUrl)}\n`;
      await writeFile(join(home, "config.toml"), base);
      const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, OPENAI_API_KEY: "k" };
      const { stdout } = await run(process.execPath, [file], { cwd: project, env });
      return { stdout, requests: model.requests.length };
    },
    async write(name, text) {
      await writeFile(join(project, name), text);
      return join(project, name);
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the blocks of a page that are programs for Node (`js` alone), with the line of each. */
export async function jsBlocks(page: string): Promise<{ line: number; code: string }[]> {
  const text = await readFile(join(root, page), "utf8");
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length + 1,
    code: match[1] ?? "",
  }));
}
