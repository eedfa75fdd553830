import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestUser } from "./run-quire.js";

/** A program on pipes. */
export interface Piped {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs a program to its end, with bytes as its input. */
export async function runPiped(
  user: TestUser,
  [file = "", ...args]: readonly string[],
  input: string | Buffer,
  env: Record<string, string> = {},
): Promise<Piped> {
  const child = spawn(file, args, {
    cwd: user.project,
    env: { PATH: process.env.PATH ?? "", HOME: user.home, CODEX_HOME: user.home, ...env },
  });
  const chunks: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code, signal] = await once(child, "close");
  return { code, signal, stdout: Buffer.concat(chunks), stderr };
}
