import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { CodexError } from "../protocol/error.js";

/** Options for starting a server. */
export interface ServerStart {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `inherit` leaves standard error to the server itself. */
  stderr: "inherit" | "pipe";
}

/** End of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server on its standard input and output. */
export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  /** Absent if it is inherited. */
  stderr: Readable | null;
  /** Resolves when it has exited; its output may still be read. */
  exited: Promise<ProcessEnd>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a server in our process group, so that a signal to the group reaches it as without us.
 *
 * Throws a `CodexError` if it cannot be started.
 */
export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const [file = "", ...args] = start.command;
  const { cwd, env, stderr } = start;
  const child: ChildProcess = spawn(file, args, { cwd, env, stdio: ["pipe", "pipe", stderr] });
  const exited = once(child, "exit").then(([code, signal]) => ({ code, signal }) as ProcessEnd);
  exited.catch(() => {});
  try {
    await once(child, "spawn");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "not found" : String(error);
    throw new CodexError("io", `Cannot start ${file}: ${reason}`, { cause: error });
  }
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the pipes of the server are missing");
  return { stdin, stdout, stderr: child.stderr, exited, kill: (signal) => child.kill(signal) };
}

/**
 * Passes signals of this process on to a server; returns a function that ends that.
 *
 * A terminal sends Ctrl-C to its whole foreground group, so the server already has that one.
 */
export function forwardSignals(kill: (signal: NodeJS.Signals) => void): () => void {
  const listeners = forwarded.map((signal) => {
    const listener = () => {
      if (!(ofTerminal.has(signal) && isInForeground())) kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;
const ofTerminal: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT", "SIGHUP"]);

/** Returns true if this process is in the foreground group of a terminal. */
function isInForeground(): boolean {
  try {
    // Behind the name, which may contain anything: state, parent, group, session, terminal, its group.
    const text = readFileSync("/proc/self/stat", "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[2] === fields[5];
  } catch {
    return process.stdin.isTTY || process.stderr.isTTY;
  }
}
