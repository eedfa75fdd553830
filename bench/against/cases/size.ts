import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Contest } from "../contest.js";
import { type Comparison, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

const heads: RowHead[] = [
  { key: "size", name: "installed size", unit: "MB", better: "less" },
  { key: "packed", name: "packed size (ours)", unit: "MB", better: "less" },
];

const mb = 1024 * 1024;

/** Disk size of an installation, with everything that npm installs for this machine. */
export const size: Comparison = { heads: () => heads, measure };

function measure(contest: Contest): Promise<Row[]> {
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  const measureOne = async ({ installed }: Side) =>
    installed === undefined ? installOurs(contest.folder) : [(await folderBytes(installed)) / mb];
  return rounds({ ...contest, sides }, heads, measureOne, 1);
}

/** Packs the files that would be published and installs them as a user would. */
async function installOurs(folder: string): Promise<number[]> {
  const target = join(folder, "installed");
  mkdirSync(target);
  const run = promisify(execFile);
  const { stdout } = await run("npm", [
    "pack",
    "--json",
    "--ignore-scripts",
    `--pack-destination=${folder}`,
  ]);
  const [packed] = JSON.parse(stdout) as { filename: string; size: number }[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const tarball = join(folder, packed.filename);
  await run("npm", ["install", "--prefix", target, ...quiet, tarball], { cwd: target });
  return [(await folderBytes(join(target, "node_modules"))) / mb, packed.size / mb];
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const file of await readdir(folder, { recursive: true })) {
    const facts = await lstat(join(folder, file));
    if (facts.isFile()) bytes += facts.size;
  }
  return bytes;
}
