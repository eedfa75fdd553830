import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { quireCommand } from "../../support/bin.js";
import type { TestUser } from "./run-quire.js";

/** The program while it runs. */
export interface Running extends AsyncDisposable {
  child: ChildProcess;
  /** Output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until standard error matches; resolves with the groups of the match. */
  untilError(words: RegExp): Promise<RegExpExecArray>;
  exit: Promise<number | null>;
}

/** Starts the built program for a user and leaves it running. */
export function spawnQuire(
  user: TestUser,
  args: readonly string[],
  env: Record<string, string> = {},
): Running {
  const child = spawn(...quireCommand(args), {
    cwd: user.project,
    env: { PATH: process.env.PATH ?? "", HOME: user.home, CODEX_HOME: user.home, ...env },
  });
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
    wake();
  });
  child.stdin.on("error", () => undefined);
  let ended = false;
  const exit = once(child, "close").then(([code]) => {
    ended = true;
    wake();
    return code as number | null;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async untilError(words) {
      for (;;) {
        const found = words.exec(stderr);
        if (found !== null) return found;
        if (ended) throw new Error(`It ended first, having said ${stderr}`);
        await new Promise<void>((done) => waiting.add(done));
      }
    },
    exit,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGKILL");
      await exit;
    },
  };
}
