import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

/**
 * Finds the git program in `PATH`, outside folders that must not supply it.
 *
 * Files in the project, or where commands may write, may come from the model or the project's
 * author, and git is started without an approval.
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
    // Uses the link's own name, because a multi-call program depends on it.
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

/** Git program with a controlled environment. */
interface GitProgram {
  program: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Options for one run of git. */
export interface GitRunOptions {
  /** Maximum size of the output. */
  maxBytes?: number;
  timeoutMs?: number;
  /** Text for its standard input. */
  input?: string;
  /** Also captures standard error, in `stdout`. */
  withErrors?: boolean;
}

/** Output of git; `complete` is false if it exceeded the limit. */
export interface GitOutput {
  code: number;
  stdout: Buffer;
  complete: boolean;
}

/** Runs git; resolves with undefined if it does not start, is killed or times out. */
export function runGit(
  { program, cwd, env }: GitProgram,
  args: readonly string[],
  { maxBytes = defaultMaxBytes, timeoutMs = 5_000, input, withErrors }: GitRunOptions = {},
): Promise<GitOutput | undefined> {
  return new Promise((resolve) => {
    // A separate process group, so that its children end with it.
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
      child.stdout.destroy(); // children outside the group may hold it open
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
    child.stdin.on("error", () => {}); // git may exit before reading all of it
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
    // Already exited.
  }
}
