import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

/**
 * Finds the git program in `PATH`, outside folders that must not supply it.
 *
 * What lies in the project, or where commands may write, may have been put there by the model or by
 * whoever wrote the project, and we start git without asking.
 */
export async function findGit(
  searchPath: string | undefined,
  avoid: readonly string[],
): Promise<string | undefined> {
  const avoided = await Promise.all(avoid.map((path) => realpath(path).catch(() => path)));
  const isAvoided = (path: string) => avoided.some((folder) => isInside(path, folder));
  for (const folder of (searchPath ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = await realpath(join(folder, programName)).catch(() => undefined);
    if (program === undefined || isAvoided(program) || isAvoided(folder)) continue;
    // Started under its own name: what a link leads to may ask by which name it was called.
    if (await isProgram(program)) return join(folder, programName);
  }
  return undefined;
}

const programName = process.platform === "win32" ? "git.exe" : "git";

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A git that is started with an environment of our making. */
interface GitProgram {
  program: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Options of one run of git. */
export interface GitRunOptions {
  /** The most that is read of its output. */
  maxBytes?: number;
  timeoutMs?: number;
  /** What it reads from its standard input. */
  input?: string;
  /** Reads standard error too, into `stdout`. */
  withErrors?: boolean;
}

/** What git wrote; `complete` is false when that was more than asked for. */
export interface GitOutput {
  code: number;
  stdout: Buffer;
  complete: boolean;
}

/** Runs git and returns undefined if it does not start, is killed, or takes too long. */
export function runGit(
  { program, cwd, env }: GitProgram,
  args: readonly string[],
  { maxBytes = defaultMaxBytes, timeoutMs = 5_000, input, withErrors }: GitRunOptions = {},
): Promise<GitOutput | undefined> {
  return new Promise((resolve) => {
    // A separate group, so that what git started ends with it.
    const child = spawn(program, ["--no-optional-locks", "--no-pager", ...args], {
      cwd,
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
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
      child.stderr.destroy();
      settle(output);
    };
    const timer = setTimeout(end, timeoutMs);
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) end({ code: 0, stdout: Buffer.concat(chunks), complete: false });
    };
    child.on("error", () => settle());
    child.stdin.on("error", () => {}); // git may end before it has read all
    child.stdin.end(input ?? "");
    child.stdout.on("data", take);
    if (withErrors) child.stderr.on("data", take);
    else child.stderr.resume();
    child.on("close", (code) =>
      settle(code === null ? undefined : { code, stdout: Buffer.concat(chunks), complete: true }),
    );
  });
}

const defaultMaxBytes = 32 * 1024 * 1024;

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ended in the meantime.
  }
}
