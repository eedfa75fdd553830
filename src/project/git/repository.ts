import { isAbsolute, join, resolve } from "node:path";
import { foldersUp, readFileHead } from "../../lib/files.js";

/** Folders of a git repository. */
export interface Repository {
  /** Folder that contains `.git`. */
  workTree: string;
  /** State of this work tree, such as HEAD. */
  gitDir: string;
  /** State shared by all work trees, such as refs and config. */
  commonDir: string;
}

/** Finds the repository around a folder without starting git. */
export function findRepository(folder: string): Repository | undefined {
  for (const workTree of foldersUp(folder)) {
    const dotGit = join(workTree, ".git");
    if (holdsRepository(dotGit)) return openRepository(workTree, dotGit);
    const target = /^gitdir: (.+)$/m.exec(readGitFile(dotGit) ?? "")?.[1];
    if (target === undefined) continue;
    const gitDir = resolve(workTree, target.trim());
    // Git also stops searching at a broken `.git` link.
    return holdsRepository(gitDir) ? openRepository(workTree, gitDir) : undefined;
  }
  return undefined;
}

/** Reads a small file of git; undefined if it cannot be read. */
export function readGitFile(path: string, maxBytes = 1024 * 1024): string | undefined {
  return readFileHead(path, maxBytes).bytes?.toString();
}

function holdsRepository(gitDir: string): boolean {
  return readGitFile(join(gitDir, "HEAD")) !== undefined;
}

function openRepository(workTree: string, gitDir: string): Repository {
  const link = readGitFile(join(gitDir, "commondir"))?.trim();
  if (!link) return { workTree, gitDir, commonDir: gitDir };
  return { workTree, gitDir, commonDir: isAbsolute(link) ? link : join(gitDir, link) };
}
