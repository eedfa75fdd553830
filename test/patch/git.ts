import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** Runs git without user or system configuration. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd, env: gitEnvironment() });
  return stdout;
}

/** Runs a program with text as its input; throws if it fails. */
export async function pipe(cwd: string, input: string, command: string, ...args: string[]) {
  const child = spawn(command, args, { cwd, env: gitEnvironment() });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output += String(data);
    });
  }
  child.stdin.end(input);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${output}`);
}

function gitEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@localhost",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@localhost",
  };
}
