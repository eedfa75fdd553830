import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createPinnedDir,
  excludesFileOf,
  readSettings,
  removePinnedDir,
  toDataConfig,
} from "./pinned-dir.js";
import { findGit, type GitOutput, type GitRunOptions, runGit } from "./program.js";
import { findRepository, type Repository } from "./repository.js";

/** Working directory and environment of git. */
export interface GitPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The agent's home, which commands cannot write. */
  home: string;
  /** Folders writable by commands besides the project; git is never started from there. */
  writableRoots?: readonly string[] | undefined;
}

/** Runs one git command in one repository. */
export type Git = (
  args: readonly string[],
  options?: GitRunOptions,
) => Promise<GitOutput | undefined>;

/**
 * Calls `use` with a git for the repository around a folder; resolves with undefined without a
 * repository or git.
 *
 * A repository's settings name programs: hooks, filters, diff tools, file system monitors, ssh. So
 * git gets a separate directory in place of `.git` (see `createPinnedDir`), with a copy of the
 * settings that are data. The user's settings are ignored too: a command that can write the home
 * folder could change them. Nothing is fetched, and no lock is taken that could block the user's
 * git.
 */
export async function withGit<T>(
  { cwd, env, home, writableRoots = [] }: GitPlace,
  use: (git: Git, repository: Repository) => Promise<T>,
): Promise<T | undefined> {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const writable = [repository.workTree, cwd, tmpdir(), "/tmp", ...writableRoots];
  const program = await findGit(env.PATH, writable);
  if (program === undefined) return undefined;
  const config = await readDataConfig(program, repository, env);
  if (config === undefined) return undefined;
  const dir = await createPinnedDir(repository, config, home);
  try {
    const place = { program, cwd, env: pinnedEnvironment(env, repository, dir) };
    return await use((args, options) => runGit(place, args, options), repository);
  } finally {
    await removePinnedDir(dir);
  }
}

/** Listing settings starts no program; only its output is used later. */
async function readDataConfig(
  program: string,
  { gitDir }: Repository,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const place = { program, cwd: gitDir, env: { ...basicEnvironment(env), GIT_DIR: gitDir } };
  const listed = await runGit(place, ["config", "-z", "--list", "--show-scope"]);
  if (listed?.code !== 0 || !listed.complete) return undefined;
  const settings = readSettings(listed.stdout.toString());
  return toDataConfig(settings, excludesFileOf(settings, env));
}

const keptVariables = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot", "TMPDIR"];

function basicEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = keptVariables.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]]],
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
}

function pinnedEnvironment(
  env: NodeJS.ProcessEnv,
  { workTree, gitDir, commonDir }: Repository,
  dir: string,
): NodeJS.ProcessEnv {
  return {
    ...basicEnvironment(env),
    GIT_DIR: dir,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: join(gitDir, "index"),
    GIT_OBJECT_DIRECTORY: join(commonDir, "objects"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    // Older git versions ignore `GIT_CONFIG_GLOBAL`; they find no config in this home.
    GIT_CONFIG_GLOBAL: "/dev/null",
    HOME: dir,
    USERPROFILE: dir,
    XDG_CONFIG_HOME: dir,
  };
}
