import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/** True if the recorded traces are present, which are not part of the repository. */
export const hasTraces = existsSync(resolve(root, "../shared/traces"));

/** A project that has the packed quire-conformance installed. */
export interface ConformanceProject extends AsyncDisposable {
  folder: string;
  /** The installed package. */
  package: string;
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** Builds and packs quire-conformance and installs it in a new project, without a network. */
export async function installConformance(): Promise<ConformanceProject> {
  const folder = await mkdtemp(join(tmpdir(), "quire-conformance-"));
  const source = join(root, "packages/conformance");
  const pack = ["pack", "--json", "--pack-destination", folder];
  const { stdout } = await exec("npm", pack, { cwd: source });
  // The build that npm starts prints a line before the list of tarballs.
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  await writeFile(join(folder, "package.json"), '{ "name": "project", "private": true }\n');
  const install = ["install", "--offline", "--no-audit", "--no-fund"];
  await exec("npm", [...install, `./${filename}`], { cwd: folder });
  return {
    folder,
    package: join(folder, "node_modules/quire-conformance"),
    run: (...args) =>
      exec(join(folder, "node_modules/.bin/quire-conformance"), args, {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
      }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      ),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
