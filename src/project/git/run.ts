import { spawn } from "node:child_process";
import { findGit } from "./program.js";
import { findRepository } from "./repository.js";

/** Where git runs, and the environment it and its settings are found by. */
export interface GitPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Where commands may write besides the project; no git from there is started. */
  writableRoots?: readonly string[] | undefined;
}

/** What git wrote; `complete` is not set when that was more than asked for. */
export interface GitOutput {
  code: number;
  stdout: Buffer;
  complete: boolean;
}

/** Runs git commands that only look, in one repository. */
export type Git = (
  args: readonly string[],
  options?: { maxBytes?: number },
) => Promise<GitOutput | undefined>;

/**
 * Makes git ready for the repository around a folder; nothing without a repository or a git.
 *
 * A repository's own settings name programs (hooks, filters, diff tools, ssh). None of them is
 * started, nothing is fetched, and no lock is taken that the user's own git could run into. A command
 * that fails to start, or takes longer than five seconds, gives nothing.
 */
export async function openGit({
  cwd,
  env,
  writableRoots = [],
}: GitPlace): Promise<Git | undefined> {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const program = await findGit(env.PATH, [repository.workTree, ...writableRoots]);
  if (program === undefined) return undefined;
  const place = { program, cwd, env: neutralEnvironment(env) };
  const overrides = await filterOverrides((args, options) => run(place, args, options));
  if (overrides === undefined) return undefined;
  const guarded = { ...place, env: { ...place.env, ...overrides } };
  return (args, options) => run(guarded, args, options);
}

const keptVariables = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot", "TMPDIR"];

function neutralEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
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

const neutralArguments = [
  "--no-optional-locks",
  "--no-pager",
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "log.showSignature=false"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/**
 * Takes the programs away by which a repository's settings would convert files.
 *
 * The user's own filters (large file storage, mostly) stay. Handed over by the environment, for a
 * filter's name may hold the `=` that ends a name on the command line.
 */
async function filterOverrides(git: Git): Promise<NodeJS.ProcessEnv | undefined> {
  const pattern = "^filter\\..*\\.(clean|smudge|process|required)$";
  const listed = await git([
    "config",
    "-z",
    "--show-scope",
    "--name-only",
    "--get-regexp",
    pattern,
  ]);
  if (listed === undefined || !listed.complete) return undefined;
  const words = listed.stdout.toString().split("\0");
  const keys = words.filter(
    (_, index) => index % 2 === 1 && !ownScopes.has(words[index - 1] ?? ""),
  );
  const entries = keys.flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, key.endsWith(".required") ? "false" : ""],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(keys.length) };
}

const ownScopes = new Set(["system", "global"]);

function run(
  { program, cwd, env }: { program: string; cwd: string; env: NodeJS.ProcessEnv },
  args: readonly string[],
  { maxBytes = defaultMaxBytes }: { maxBytes?: number } = {},
): Promise<GitOutput | undefined> {
  return new Promise((resolve) => {
    // A group of its own, so that what git started ends with it.
    const child = spawn(program, [...neutralArguments, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (output?: GitOutput): void => {
      clearTimeout(timer);
      resolve(output);
    };
    const end = (output?: GitOutput): void => {
      endGroup(child.pid);
      child.stdout.destroy(); // not kept open for what left the group
      settle(output);
    };
    const timer = setTimeout(end, timeoutMs);
    child.on("error", () => settle());
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) end({ code: 0, stdout: Buffer.concat(chunks), complete: false });
    });
    child.on("close", (code) =>
      settle(code === null ? undefined : { code, stdout: Buffer.concat(chunks), complete: true }),
    );
  });
}

const timeoutMs = 5_000;
const defaultMaxBytes = 32 * 1024 * 1024;

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ended in the meantime.
  }
}
