import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { CodexError } from "../../protocol/error.js";

/** What git said of a diff, and whether it took it. */
export interface GitApplied {
  isApplied: boolean;
  output: string;
}

/** Applies a diff to the repository around a folder, merging where lines have moved. */
export async function gitApply(diff: string, cwd: string): Promise<GitApplied> {
  const root = await topOf(cwd);
  const git = spawn("git", ["apply", "--3way", "-"], { cwd: root });
  let output = "";
  const keep = (data: Buffer) => {
    if (output.length < longestOutput) output += data;
  };
  git.stdout.on("data", keep);
  git.stderr.on("data", keep);
  git.stdin.on("error", () => undefined); // git may be gone before it has read all
  git.stdin.end(diff.endsWith("\n") ? diff : `${diff}\n`);
  const [code] = await once(git, "close");
  return { isApplied: code === 0, output };
}

const longestOutput = 64 * 1024;

async function topOf(cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--show-toplevel"], { cwd });
    return stdout.trim();
  } catch {
    throw new CodexError("invalid_request", `${cwd} is in no git repository, which apply needs`);
  }
}
