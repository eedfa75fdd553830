import { copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Repository, readGitFile } from "./repository.js";

/**
 * Creates a git directory that replaces a repository's own; the caller removes it.
 *
 * Its config file is ours, so git never reads the repository's config while it runs, and starts no
 * program named there, even if it changes meanwhile. Refs and objects are linked. It is in `home`,
 * which sandboxed commands cannot write.
 */
export async function createPinnedDir(
  repository: Repository,
  config: string,
  home: string,
): Promise<string> {
  const folder = join(home, "tmp");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  const dir = await mkdtemp(join(folder, prefix));
  try {
    await writeFile(join(dir, "config"), config);
    await writeFile(join(dir, "HEAD"), headOf(repository));
    await mkdir(join(dir, "info"));
    const { gitDir, commonDir } = repository;
    for (const name of ["refs", "reftable"]) await link(join(commonDir, name), join(dir, name));
    for (const name of ["packed-refs", "shallow", "info/exclude"]) {
      await link(join(commonDir, name), join(dir, name));
    }
    for (const name of ["info/sparse-checkout", ...(await sharedIndexes(gitDir))]) {
      await link(join(gitDir, name), join(dir, name));
    }
  } catch (error) {
    await removePinnedDir(dir);
    throw error;
  }
  return dir;
}

/** Removes a directory of `createPinnedDir`, but not the targets of its links. */
export async function removePinnedDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

function headOf({ gitDir }: Repository): string {
  return readGitFile(join(gitDir, "HEAD")) ?? "ref: refs/heads/main\n";
}

/** Parts of a split index, which git looks for beside the config. */
async function sharedIndexes(gitDir: string): Promise<string[]> {
  const names = await readdir(gitDir).catch(() => []);
  return names.filter((name) => name.startsWith("sharedindex."));
}

async function link(target: string, path: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return;
  try {
    await symlink(target, path, found.isDirectory() ? "junction" : "file");
  } catch (error) {
    // Windows does not let every user create file links.
    if (found.isDirectory()) throw error;
    await copyFile(target, path);
  }
}

/** A killed process leaves its directory behind. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > leftoverMs;
    if (isOld) await removePinnedDir(join(folder, name));
  }
}

const prefix = "git-";
const leftoverMs = 60 * 60 * 1000;

/** A setting of git with the scope it comes from, as `git config --list --show-scope` reports it. */
interface Setting {
  scope: string;
  name: string;
  value: string;
}

/**
 * Reads the output of `git config --list -z --show-scope`.
 *
 * An entry is the scope, then the name and, behind a newline, the value; a name alone means true.
 */
export function readSettings(output: string): Setting[] {
  const words = output.split("\0");
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", entry = ""] = [words[at], words[at + 1]];
    const end = entry.indexOf("\n");
    const name = end < 0 ? entry : entry.slice(0, end);
    settings.push({ scope, name, value: end < 0 ? "true" : entry.slice(end + 1) });
  }
  return settings;
}

/**
 * Formats a config file with those `settings` that are data: none that names a program, a file or a
 * URL.
 *
 * It is an allowlist: keys of future git versions are excluded.
 */
export function toDataConfig(settings: readonly Setting[], excludesFile: string): string {
  const lines = settings.flatMap(({ name, value }) => {
    const remote = /^remote\.(.+)\.url$/s.exec(name)?.[1];
    // Remotes are listed, never contacted.
    if (remote !== undefined) return [`[remote ${quote(remote)}]`, `\turl = ${quote("/dev/null")}`];
    if (!dataSettings.has(name)) return [];
    const [section, key] = name.split(".");
    return [`[${section}]`, `\t${key} = ${quote(value)}`];
  });
  return [...lines, ...fixedSettings, `\texcludesFile = ${quote(excludesFile)}`, ""].join("\n");
}

/** Returns the user's global ignore file; project settings cannot change it. */
export function excludesFileOf(settings: readonly Setting[], env: NodeJS.ProcessEnv): string {
  const own = settings.filter(
    ({ scope, name }) => name === "core.excludesfile" && (scope === "system" || scope === "global"),
  );
  const home = env.HOME ?? env.USERPROFILE ?? "";
  const chosen = own.at(-1)?.value.replace(/^~(?=\/)/, home);
  return chosen ?? `${env.XDG_CONFIG_HOME || `${home}/.config`}/git/ignore`;
}

/** Settings about how files are stored and compared. */
const dataSettings = new Set([
  "core.repositoryformatversion",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.checkstat",
  "core.trustctime",
  "core.longpaths",
  "core.protecthfs",
  "core.protectntfs",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "core.bigfilethreshold",
  "extensions.objectformat",
  "extensions.refstorage",
  "index.sparse",
]);

const fixedSettings = [
  "[log]",
  "\tshowSignature = false",
  "[submodule]",
  "\trecurse = false",
  "[core]",
  "\tbare = false",
  "\tfsmonitor = false",
  "\thooksPath = /dev/null",
  "\tattributesFile = /dev/null",
  "\tpager = cat",
];

function quote(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
