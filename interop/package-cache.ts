import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Skipped } from "./check.js";

/** Published packages by name and exact version, outside the project and kept between runs. */
export interface PackageCache {
  /**
   * The command that starts the program of a package, or another file of it.
   *
   * Installs the package when it is missing; throws `Skipped` when the registry is out of reach.
   */
  program(name: string, version: string, file?: string): Promise<string[]>;
  /**
   * Folder of a package that other programs import, with its peer packages beside it.
   *
   * Optional ones are left out: they are the programs that we replace.
   */
  library(name: string, version: string, beside?: readonly string[]): Promise<string>;
}

/** Folder of fetched packages, shared between runs. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "quire-interop");
}

/** Opens the cache; nothing is made until a package is asked for. */
export function openPackageCache(
  env: Readonly<Record<string, string | undefined>>,
  { note, signal }: { note(line: string): void; signal: AbortSignal },
): PackageCache {
  const root = cacheFolder(env);
  const folderOf = async (name: string, version: string, more: readonly string[] = []) => {
    const dir = join(root, `${name.replace("/", "+")}@${version}`);
    if (!existsSync(dir)) {
      const started = Date.now();
      await install(dir, [`${name}@${version}`, ...more], signal);
      note(`installed ${name} ${version} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
    return join(dir, "node_modules", name);
  };
  return {
    async program(name, version, file) {
      const folder = await folderOf(name, version);
      return [process.execPath, resolve(folder, file ?? (await readBin(folder)))];
    },
    library: (name, version, beside = []) =>
      folderOf(name, version, ["--omit=optional", ...beside]),
  };
}

/** Fetches into a separate folder that is moved into place whole, so that no run sees a partial package. */
async function install(dir: string, wanted: readonly string[], signal: AbortSignal): Promise<void> {
  const making = `${dir}.${process.pid}`;
  await mkdir(making, { recursive: true });
  try {
    await npmInstall(making, wanted, signal);
    await rename(making, dir);
  } catch (error) {
    if (!existsSync(dir)) throw error; // else another run was quicker
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function npmInstall(
  dir: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const patience = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];
  // Published code runs only as the program that a check starts.
  const args = ["install", "--prefix", dir, "--ignore-scripts", ...quiet, ...patience, ...wanted];
  try {
    await promisify(execFile)("npm", args, { cwd: dir, signal });
  } catch (error) {
    signal.throwIfAborted();
    const output = String((error as { stderr?: unknown }).stderr ?? error).trim();
    if (/\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(output)) {
      throw new Skipped(`the registry cannot be reached, and ${wanted[0]} is not in the cache`);
    }
    throw new Error(`npm could not install ${wanted[0]}: ${output}`);
  }
}

async function readBin(folder: string): Promise<string> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  const { bin } = JSON.parse(text) as { bin?: string | Record<string, string> };
  const path = typeof bin === "string" ? bin : Object.values(bin ?? {})[0];
  if (path === undefined) throw new Error(`${folder} names no program to run`);
  return path;
}
