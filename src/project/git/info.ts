import { join } from "node:path";
import type { GitInfo } from "../../protocol/types.js";
import { findSetting } from "./config-file.js";
import { readHead } from "./head.js";
import { findRepository, readGitFile } from "./repository.js";

/**
 * What the repository around a folder is on, read from git's own files.
 *
 * Starting git would cost more than everything else at the start of a session. Nothing when there
 * is no repository; what cannot be read is left out.
 */
export function readGitInfo(cwd: string): GitInfo | undefined {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const { commit, branch } = readHead(repository);
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
