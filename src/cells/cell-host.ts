import { type ChildProcess, spawn } from "node:child_process";
import { withSealedStdio } from "../exec/index.js";
import type { Launch, Sandbox } from "../sandbox/index.js";
import cellProgram from "./host/cell.js.txt";
import hostProgram from "./host/host.js.txt";
import { type CellMessage, type HostRequest, readHostLine } from "./messages.js";

/** Limits of the cells of a session. */
export interface CellLimits {
  /** Memory of one cell, in mebibytes. */
  memoryMb: number;
  /** Time that a cell may run without waiting for a tool. */
  seconds: number;
}

/** Options of a host. */
export interface CellHostOptions {
  sandbox: Pick<Sandbox, "isolate">;
  limits: CellLimits;
  onMessage(cell: number, message: CellMessage): void;
  /** Called once when the process has ended; the reason is a text for the model. */
  onEnd(reason: string): void;
}

/**
 * The process in which the cells of a session run.
 *
 * It sees nothing of the machine: no file but Node, no network, no variables, no other program.
 */
export class CellHost {
  #child: ChildProcess | undefined;
  #rest = "";

  /** Starts the process; rejects with a text for the model if this machine has no sandbox for it. */
  static async start(options: CellHostOptions): Promise<CellHost> {
    const { limits, sandbox } = options;
    const args = ["--experimental-vm-modules", "--no-warnings", "-e", hostProgram];
    const launch = await sandbox.isolate({ args, memoryMb: limits.memoryMb * 4 + processMb });
    if (launch instanceof Error) throw new Error(launch.message);
    const host = new CellHost();
    host.#spawn(launch, options);
    host.send({ type: "begin", program: cellProgram, limits: workerLimits(limits) });
    return host;
  }

  send(message: HostRequest): void {
    const { stdin } = this.#child ?? {};
    if (stdin?.writable) stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends the process and with it all cells. */
  close(): void {
    this.#child?.kill("SIGKILL");
  }

  #spawn(launch: Launch, { onMessage, onEnd }: CellHostOptions): void {
    const child = withSealedStdio(["pipe", "pipe", "pipe", ...launch.descriptors], (stdio) =>
      spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, stdio }),
    );
    this.#child = child;
    launch.spawned(child);
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk, onMessage));
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-mostErrors);
    });
    // A process that ended closes its pipes first; `close` reports it.
    child.stdin?.on("error", () => {});
    const end = async (failure?: Error) => {
      const report = await launch.ended(stderr);
      const reason = report.ran ? undefined : report.reason;
      onEnd(failure?.message ?? reason ?? "the process that runs cells has ended");
    };
    child.once("error", (error) => void end(error));
    child.once("close", () => void end());
  }

  #read(chunk: string, onMessage: CellHostOptions["onMessage"]): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const read = readHostLine(line);
      if (read !== undefined) onMessage(read.cell, read.message);
    }
    if (this.#rest.length > longestLine) this.close();
  }
}

/** Memory of the process besides that of its cells, of which a few may be at their limit. */
const processMb = 512;

/** A cell that writes a longer line has left its realm. */
const longestLine = 64 * 1024 * 1024;

const mostErrors = 4096;

function workerLimits({ memoryMb }: CellLimits) {
  return { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
}
