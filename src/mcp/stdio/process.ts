import { type ChildProcessByStdio, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { errorCode, errorText } from "../../lib/errors.js";
import { signalTree, treeOf } from "../../lib/process-tree.js";
import type { Confinement } from "../server-config.js";

/** Kills server programs that are still running when this process exits. */
export class LiveProcesses {
  readonly #pids = new Set<number>();

  add(pid: number): void {
    if (this.#pids.size === 0) process.on("exit", this.#killAll);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid) && this.#pids.size === 0) process.off("exit", this.#killAll);
  }

  readonly #killAll = (): void => {
    for (const pid of this.#pids) signalTree(treeOf(pid), "SIGKILL");
  };
}

/** Returns why a program could not be started, in the words of the system. */
export async function startFailureText(error: unknown, cwd: string): Promise<string> {
  const code = String(errorCode(error) ?? "");
  const text = systemTexts[code];
  const number = constants.errno[code as keyof typeof constants.errno];
  if (text === undefined || number === undefined) {
    return errorText(error);
  }
  // A missing program and a missing working directory cause the same error.
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) return `the working directory ${cwd} does not exist`;
  return `${text} (os error ${number})`;
}

const systemTexts: Record<string, string> = {
  E2BIG: "Argument list too long",
  EACCES: "Permission denied",
  EAGAIN: "Resource temporarily unavailable",
  EMFILE: "Too many open files",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOMEM: "Cannot allocate memory",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};

/** Command line, environment and working directory of a server's program. */
export interface StdioLaunch {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
}

/** A running server program with its standard streams. */
export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable> & { pid: number };

/** Starts a server's program so that it cannot read denied files; `stdout` is what it may show. */
export type StartConfined = (
  launch: StdioLaunch,
  confinement: Confinement,
) => Promise<StartedServer>;

/** A started program; `stdout` replaces its own standard output. */
export interface StartedServer {
  process: ServerProcess;
  stdout?: AsyncIterable<Buffer>;
}

/** Starts a server's program in its own process group; rejects if it cannot be started. */
export function spawnServer({ command, args, env, cwd }: StdioLaunch): Promise<ServerProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => {});
      resolve(child as ServerProcess);
    });
  });
}
