import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { GitInfo } from "../protocol/types.js";

/**
 * What the repository around a folder is on, read from git's own files.
 *
 * Starting git would cost more than everything else at the start of a session. Nothing when there
 * is no repository; what cannot be read is left out.
 */
export async function readGitInfo(cwd: string): Promise<GitInfo | undefined> {
  const gitDir = await findGitDir(cwd);
  if (gitDir === undefined) return undefined;
  const common = await commonDir(gitDir);
  const head = (await read(join(gitDir, "HEAD")))?.trim();
  const ref = head?.startsWith("ref: ") ? head.slice(5) : undefined;
  const commit = ref === undefined ? head : await readRef(ref, gitDir, common);
  const branch = ref?.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
  const url = originUrl((await read(join(common, "config"))) ?? "");
  return {
    ...(commit === undefined ? {} : { commit_hash: commit }),
    ...(branch === undefined ? {} : { branch }),
    ...(url === undefined ? {} : { repository_url: url }),
  };
}

async function findGitDir(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    if ((await read(join(git, "HEAD"))) !== undefined) return git;
    const link = /^gitdir: (.+)$/m.exec((await read(git)) ?? "")?.[1];
    if (link !== undefined) return resolve(at, link.trim());
    if (at === dirname(at)) return undefined;
  }
}

/** Work trees keep their branches and settings in the repository they belong to. */
async function commonDir(gitDir: string): Promise<string> {
  const link = (await read(join(gitDir, "commondir")))?.trim();
  if (link === undefined) return gitDir;
  return isAbsolute(link) ? link : join(gitDir, link);
}

async function readRef(ref: string, gitDir: string, common: string): Promise<string | undefined> {
  const loose = (await read(join(gitDir, ref))) ?? (await read(join(common, ref)));
  if (loose !== undefined) return loose.trim();
  const packed = (await read(join(common, "packed-refs"))) ?? "";
  const line = packed.split("\n").find((entry) => entry.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

function originUrl(config: string): string | undefined {
  const section = config.split(/^(?=\[)/m).find((part) => part.startsWith('[remote "origin"]'));
  return /^\s*url\s*=\s*(.+?)\s*$/m.exec(section ?? "")?.[1];
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}
