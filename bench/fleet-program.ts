import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** A process of `quire fleet` under measurement, which can be asked for the memory that it holds. */
export class FleetProgram {
  readonly #child: ChildProcessWithoutNullStreams;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
  }

  /** Starts it and waits until it is ready. */
  static async start(
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Record<string, string> },
  ): Promise<FleetProgram> {
    const preload = resolve("bench/programs/collect-on-signal.cjs");
    const node = ["--expose-gc", "--require", preload, resolve("bin/quire.js"), "fleet"];
    const child = spawn(process.execPath, [...node, ...args], { cwd, env });
    let text = "";
    await new Promise<void>((onReady, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (data: Buffer) => {
          text = (text + data).slice(-2000);
          if (text.includes("ready")) onReady();
        });
      }
      child.on("exit", (code) => reject(new Error(`It ended with ${code}: ${text}`)));
    });
    return new FleetProgram(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Heap and buffers in use after a collection, in MB. */
  async heldMb(): Promise<number> {
    const output = once(this.#child.stderr, "data");
    this.#child.kill("SIGUSR2");
    const [bytes] = await output;
    return Number(bytes) / 1024 / 1024;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }
}
