import { isAbsolute, join, resolve } from "node:path";
import { foldersUp, readFileHead } from "../../lib/files.js";

/** Where a git repository keeps things. */
export interface Repository {
  /** The folder in which `.git` is. */
  workTree: string;
  /** What belongs to this work tree alone, such as what is checked out. */
  gitDir: string;
  /** What all work trees of the repository share, such as branches and settings. */
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
    // Git looks no further up either when a link leads nowhere.
    return holdsRepository(gitDir) ? openRepository(workTree, gitDir) : undefined;
  }
  return undefined;
}

/** Reads one of git's small files; nothing when it cannot be read. */
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
