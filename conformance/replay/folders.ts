import { isUtf8 } from "node:buffer";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import type { FileContent, TraceMeta } from "../trace/trace.js";

/** The folders one run has to itself. */
export interface Folders {
  root: string;
  workspace: string;
  codexHome: string;
  home: string;
  /** Laid over `/etc` for programs that need a private `/etc/codex`. */
  etc: string;
}

/** Creates empty folders for one run; the caller removes them with `removeFolders`. */
export async function makeFolders(): Promise<Folders> {
  const root = await realpath(await mkdtemp(join(temporary(), "conformance-")));
  const folders = {
    root,
    workspace: join(root, "workspace"),
    codexHome: join(root, "codex"),
    home: join(root, "home"),
    etc: join(root, "etc"),
  };
  await Promise.all([folders.workspace, folders.codexHome, folders.home].map((dir) => mkdir(dir)));
  return folders;
}

/** Not `/tmp` where it can be helped: sandboxes let commands write there, and the traces were not recorded there. */
function temporary(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  return existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
}

/** Writes the files a trace wants to find, and makes the repository it wants. */
export async function furnish(
  folders: Folders,
  meta: TraceMeta,
  fill: (text: string) => string,
): Promise<void> {
  await writeFiles(folders.workspace, meta.files ?? {}, fill);
  await writeFiles(folders.codexHome, meta.home_files ?? {}, fill);
  await writeFiles(join(folders.etc, "codex"), meta.etc_codex ?? {}, fill);
  if (meta.config_toml !== undefined) {
    await writeFile(join(folders.codexHome, "config.toml"), fill(meta.config_toml));
  }
  if (!meta.git) return;
  await makeRepository(folders, meta.git === "remote");
  await writeFiles(folders.workspace, meta.git_after ?? {}, fill);
}

/** Removes everything; a program that is just ending may still be writing, so it is tried again. */
export async function removeFolders(folders: Folders): Promise<void> {
  await rm(folders.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Lists the files below a folder by relative path, without a repository's own. */
export async function listFiles(dir: string): Promise<string[]> {
  const found: string[] = [];
  async function visit(folder: string): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name === ".git") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else found.push(relative(dir, path));
    }
  }
  await visit(dir);
  return found.sort();
}

/** Reads the files below a folder as text, by relative path. */
export async function readFiles(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const path of await listFiles(dir)) files[path] = asText(await readFile(join(dir, path)));
  return files;
}

/** The recorder wrote only the length of files that are no text. */
function asText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : `<binary ${bytes.length} bytes>`;
}

async function writeFiles(
  dir: string,
  files: Record<string, FileContent>,
  fill: (text: string) => string,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(dir, path);
    await mkdir(dirname(target), { recursive: true });
    const bytes =
      typeof content === "string" ? fill(content) : Buffer.from(content.base64, "base64");
    await writeFile(target, bytes);
  }
}

async function makeRepository(folders: Folders, withRemote: boolean): Promise<void> {
  const git = gitIn(folders.workspace, folders.home);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--allow-empty", "--message=start");
  if (!withRemote) return;
  const remote = join(folders.root, "remote.git");
  await git("init", "--quiet", "--bare", "--initial-branch=main", remote);
  await git("remote", "add", "origin", remote);
  await git("push", "--quiet", "--set-upstream", "origin", "main");
}

function gitIn(cwd: string, home: string): (...args: string[]) => Promise<unknown> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "conformance",
    GIT_AUTHOR_EMAIL: "conformance@localhost",
    GIT_COMMITTER_NAME: "conformance",
    GIT_COMMITTER_EMAIL: "conformance@localhost",
    // Commits of equal files have equal hashes.
    GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
    GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  };
  return (...args) => promisify(execFile)("git", args, { cwd, env });
}
