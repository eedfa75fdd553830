import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { settingNames } from "./config-file.js";
import { findRepository, readGitFile } from "./repository.js";

/**
 * Returns whether git, run in a folder, might start a program that the repository's own settings name.
 *
 * False only if all of its settings are known to be data. A repository within a repository, and a
 * folder that is itself a git directory, have settings of their own, so they count as naming some.
 */
export function namesPrograms(cwd: string): boolean {
  const repository = findRepository(cwd);
  if (repository === undefined) return holdsGitDirectory(cwd, undefined);
  const { workTree, gitDir, commonDir } = repository;
  if (holdsGitDirectory(cwd, workTree)) return true;
  if (existsSync(join(workTree, ".gitmodules")) || existsSync(join(commonDir, "modules")))
    return true;
  if (existsSync(join(gitDir, "config.worktree"))) return true;
  const config = readGitFile(join(commonDir, "config"));
  return config === undefined || !settingNames(config).every((name) => plainSettings.test(name));
}

/** Git takes a folder for a git directory that has these, before it looks further up. */
function holdsGitDirectory(cwd: string, top: string | undefined): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)))) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}

/** Settings that say how things are stored, what is tracked and who commits. */
const plainSettings =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|trustctime|checkstat|longpaths|sparsecheckout|sparsecheckoutcone|quotepath|abbrev)|extensions\.(?:objectformat|refstorage)|remote\.(?:url|pushurl|fetch|push|tagopt|prune)|branch\.(?:remote|merge|rebase|description|pushremote)|user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|color\.\w+)$/;
