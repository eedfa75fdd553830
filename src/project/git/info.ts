import { join } from "node:path";
import type { GitInfo } from "../../protocol/types.js";
import { findSetting } from "./config-file.js";
import { findRepository, type Repository, readGitFile } from "./repository.js";

/**
 * What the repository around a folder is on, read from git's own files.
 *
 * Starting git would cost more than everything else at the start of a session. Nothing when there
 * is no repository; what cannot be read is left out.
 */
export function readGitInfo(cwd: string): GitInfo | undefined {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const { commit, branch } = readCheckout(repository);
  const config = readGitFile(join(repository.commonDir, "config"));
  const url = findSetting(config ?? "", { section: "remote", subsection: "origin", key: "url" });
  return {
    ...(commit === undefined ? {} : { commit_hash: commit }),
    // A branch that has no commit yet is none to git either.
    ...(commit === undefined || branch === undefined ? {} : { branch }),
    ...(url ? { repository_url: withoutCredentials(url) } : {}),
  };
}

/** The address is recorded and shown; what logs in to it must not be. */
function withoutCredentials(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/i, "$1");
}

/** What is checked out. */
interface Checkout {
  commit?: string | undefined;
  /** Not set when a commit is checked out that no branch is at. */
  branch?: string | undefined;
}

/** Reads what a work tree is on; repositories that keep their branches in tables say nothing here. */
function readCheckout(repository: Repository): Checkout {
  let text = readGitFile(join(repository.gitDir, "HEAD"))?.trim();
  let branch: string | undefined;
  // One name may stand for another; git follows at most five.
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

/** Half a million branches; whoever has more is told less. */
const maxPackedBytes = 32 * 1024 * 1024;
