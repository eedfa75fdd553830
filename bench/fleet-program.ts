import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { endOf } from "./against/app-server.js";

/** A process of `quire fleet` under measurement, which can be asked for the memory that it holds. */
export class FleetProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  /** Its last lines. */
  readonly #output: string[] = [];
  /** Called with each line; true ends the wait for it. */
  readonly #waiting = new Set<(line: string) => boolean>();
  /** Rejects when it has ended. */
  readonly #gone: Promise<never>;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", (line) => this.#take(line));
    }
    this.#gone = once(child, "close").then(([code, signal]) => {
      throw new Error(`The program is gone: ${endOf(code, signal)}\n${this.#output.join("\n")}`);
    });
    this.#gone.catch(() => {});
  }

  /** Starts it and waits until it is ready. */
  static async start(
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Record<string, string> },
  ): Promise<FleetProgram> {
    const preload = resolve("bench/programs/collect-on-signal.cjs");
    const node = ["--expose-gc", "--require", preload, resolve("bin/quire.js"), "fleet"];
    const program = new FleetProgram(spawn(process.execPath, [...node, ...args], { cwd, env }));
    await program.#line((line) => line.includes("ready"));
    return program;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Heap and buffers in use after a collection, in MB. */
  async heldMb(): Promise<number> {
    // Its reports are on the same stream.
    const printed = this.#line((line) => /^\d+$/.test(line));
    this.#child.kill("SIGUSR2");
    return Number(await printed) / 1024 / 1024;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }

  /** Waits for a line of its output; rejects if it ends before. */
  #line(isMeant: (line: string) => boolean): Promise<string> {
    const found = new Promise<string>((onLine) => {
      this.#waiting.add((line) => {
        if (isMeant(line)) onLine(line);
        return isMeant(line);
      });
    });
    return Promise.race([found, this.#gone]);
  }

  #take(line: string): void {
    this.#output.push(line);
    this.#output.splice(0, this.#output.length - mostLines);
    for (const isTaken of this.#waiting) if (isTaken(line)) this.#waiting.delete(isTaken);
  }
}

const mostLines = 20;
