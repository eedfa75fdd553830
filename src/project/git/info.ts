import { join } from "node:path";
import type { GitInfo } from "../../protocol/types.js";
import { findSetting } from "./config-file.js";
import { findRepository, type Repository, readGitFile } from "./repository.js";

/**
 * Returns the commit, branch and remote of the repository around a folder, read from git's files.
 *
 * Starting git would take longer than the rest of a session's start. Returns undefined without a
 * repository; unreadable parts are omitted.
 */
export function readGitInfo(cwd: string): GitInfo | undefined {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const { commit, branch } = readCheckout(repository);
  const config = readGitFile(join(repository.commonDir, "config"));
  const url = findSetting(config ?? "", { section: "remote", subsection: "origin", key: "url" });
  return {
    ...(commit === undefined ? {} : { commit_hash: commit }),
    // To git, a branch without a commit does not exist yet.
    ...(commit === undefined || branch === undefined ? {} : { branch }),
    ...(url ? { repository_url: withoutCredentials(url) } : {}),
  };
}

/** The URL is recorded and displayed, so its credentials are removed. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/i, "$1");
}

/** Checked-out commit and branch. */
interface Checkout {
  commit?: string | undefined;
  /** Undefined for a detached HEAD. */
  branch?: string | undefined;
}

/** Reads HEAD; repositories that store refs in reftables return nothing. */
function readCheckout(repository: Repository): Checkout {
  let text = readGitFile(join(repository.gitDir, "HEAD"))?.trim();
  let branch: string | undefined;
  // A symbolic ref may point to another; git follows at most five.
  for (let depth = 0; depth < 5 && text !== undefined; depth++) {
    const ref = /^ref:\s*(refs\/.+)$/.exec(text)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) break;
    if (ref.startsWith(heads)) branch ??= ref.slice(heads.length);
    text = readRef(ref, repository);
  }
  return { commit: commitName.test(text ?? "") ? text : undefined, branch };
}

const heads = "refs/heads/";
const commitName = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function readRef(ref: string, { gitDir, commonDir }: Repository): string | undefined {
  const loose = readGitFile(join(gitDir, ref)) ?? readGitFile(join(commonDir, ref));
  if (loose !== undefined) return loose.trim();
  const packed = readGitFile(join(commonDir, "packed-refs"), maxPackedBytes);
  const at = packed?.indexOf(` ${ref}\n`) ?? -1;
  if (packed === undefined || at < 0) return undefined;
  return packed.slice(packed.lastIndexOf("\n", at) + 1, at);
}

/** About half a million refs; larger files are ignored. */
const maxPackedBytes = 32 * 1024 * 1024;
