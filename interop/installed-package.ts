import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { CheckContext } from "./check.js";
import type { Scene } from "./scene.js";

const run = promisify(execFile);

/** A new project with the packed package, without its optional parts. */
export interface InstalledProject {
  folder: string;
  tarball: string;
  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void>;
  /** Runs a program in the project to its end; returns all of its output, which a failure contains too. */
  run(command: readonly string[], env?: Record<string, string>): Promise<string>;
}

/** Packs the built package and installs it in a new project of the scene. */
export async function installOurs(
  scene: Scene,
  { note, signal }: Pick<CheckContext, "note" | "signal">,
): Promise<InstalledProject> {
  const folder = join(scene.workspace, "project");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: resolve("."), env: scene.env });
  const [{ filename }] = JSON.parse(stdout);
  const tarball = join(folder, filename);
  const install = ["install", "--offline", "--omit=optional", "--no-audit", "--no-fund"];
  await run("npm", [...install, tarball], { cwd: folder, env: scene.env });
  return {
    folder,
    tarball,
    write: (name, text) => writeFile(join(folder, name), text),
    async run([file = "", ...args], env) {
      note(`runs ${[file, ...args].join(" ")}`);
      const place = { cwd: folder, env: { ...scene.env, ...env }, signal, maxBuffer: 16 * 2 ** 20 };
      const ended = await run(file, args, place).catch((error: Output & Error) => {
        throw new Error(`${error.message}\n${error.stdout ?? ""}`);
      });
      return ended.stdout + ended.stderr;
    },
  };
}

interface Output {
  stdout?: string;
}
