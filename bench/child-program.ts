import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { neutralEnv } from "./measure.js";

/** A program of ours in a separate process. The caller removes it. */
export interface ChildProgram {
  /** Its arguments for `node`, to start it by hand. */
  readonly path: string;
  /** Runs it to its end; it takes JSON as its argument and prints JSON. */
  run<Result>(options: object): Promise<Result>;
  remove(): Promise<void>;
}

/** Bundles a TypeScript file of this project, so that its process does nothing but its work. */
export async function bundleProgram(file: string): Promise<ChildProgram> {
  const folder = resolve("node_modules/.cache/quire");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${basename(file, ".ts")}.${process.pid}.mjs`);
  await build({
    entryPoints: [resolve(file)],
    outfile: path,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    loader: { ".md": "text", ".lark": "text" },
    logLevel: "error",
  });
  return {
    path,
    async run(options) {
      const args = [path, JSON.stringify(options)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: neutralEnv() });
      return JSON.parse(stdout);
    },
    remove: () => rm(path, { force: true }),
  };
}
