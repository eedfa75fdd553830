import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { CannotRun } from "../suite.js";

/** Contents of files by path; `null` means that the file does not exist. */
export type CaseFiles = Record<string, string | { base64: string } | null>;

/** Returns a path of a case in its folder; one that leads out of it is never written. */
export function inFolder(dir: string, name: string): string {
  const path = join(dir, name);
  if (relative(dir, resolve(path)).startsWith("..")) {
    throw new CannotRun(`the path ${name} leads out of the folder of the case`);
  }
  return path;
}

/** Writes the files a case begins with. */
export async function writeCaseFiles(dir: string, files: CaseFiles = {}): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    const path = inFolder(dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, toBytes(content));
  }
}

/** Runs the `setup` of a case, such as `symlink a -> b`. */
export async function runSetup(dir: string, setup: string | undefined): Promise<void> {
  if (setup === undefined) return;
  const link = /^symlink (\S+) -> (\S+)$/.exec(setup);
  if (link) return symlink(link[2] as string, inFolder(dir, link[1] as string));
  const folder = /^mkdir (\S+)$/.exec(setup);
  if (!folder) throw new CannotRun(`unknown setup: ${setup}`);
  await mkdir(inFolder(dir, folder[1] as string), { recursive: true });
}

/** Returns the files that differ from a case's; with `complete`, also the surplus ones. */
export async function compareFiles(
  dir: string,
  files: CaseFiles = {},
  complete = false,
): Promise<string | undefined> {
  for (const [name, content] of Object.entries(files)) {
    const found = await readFile(join(dir, name)).catch(() => undefined);
    if (content === null) {
      if (found) return `${name} exists`;
    } else if (!found?.equals(toBytes(content))) {
      return `${name} is ${JSON.stringify(found?.toString())}, not ${JSON.stringify(content)}`;
    }
  }
  if (!complete) return undefined;
  const extra: string[] = [];
  for (const name of await readdir(dir, { recursive: true })) {
    const isFolder = (await lstat(join(dir, name))).isDirectory();
    if (!isFolder && !(name in files)) extra.push(name);
  }
  return extra.length > 0 ? `too many files: ${extra.join(", ")}` : undefined;
}

function toBytes(content: string | { base64: string }): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(content.base64, "base64");
}
