import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { Json } from "../trace/trace.js";

/** Options for starting a program. */
export interface ProgramStart {
  command: string[];
  cwd: string;
  env: Record<string, string>;
}

/** More than any trace writes: a program that never stops writing is ended here. */
const OUTPUT_LIMIT = 256 * 1024 * 1024;
const STDERR_LIMIT = 16 * 1024;

/** A running program that writes one JSON value a line. */
export class Program {
  /** Output lines in order; a line that is not JSON is `{"$text": line}`. */
  readonly out: Json[] = [];
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #stderr = "";
  #written = 0;
  #exit: { code: number | null } | undefined;

  constructor({ command, cwd, env }: ProgramStart) {
    const [file = "", ...args] = command;
    // A separate process group, so that the programs it starts can be ended with it.
    this.#child = spawn(file, args, { cwd, env, stdio: "pipe", detached: true });
    this.#child.on("error", (error) => this.#end(null, `cannot start ${file}: ${error.message}`));
    this.#child.on("close", (code) => this.#end(code));
    this.#child.stdin?.on("error", () => {}); // it may end before it has read everything
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk}`.slice(-STDERR_LIMIT);
    });
    this.#readLines();
  }

  get exited(): boolean {
    return this.#exit !== undefined;
  }

  get exitCode(): number | null {
    return this.#exit?.code ?? null;
  }

  /** Tail of its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  writeLine(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  writeText(text: string): void {
    this.#child.stdin?.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Waits until `done` holds; false when time is up or the program has ended without it. */
  async until(done: () => boolean, timeoutMs: number): Promise<boolean> {
    if (done()) return true;
    if (this.exited) return false;
    return new Promise((resolve) => {
      const finish = (result: boolean) => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(result);
      };
      const look = () => {
        if (done()) finish(true);
        else if (this.exited) finish(false);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.#watchers.add(look);
    });
  }

  /** Ends the program and its children. */
  kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // all of them have ended already
    }
  }

  #readLines(): void {
    const decoder = new StringDecoder("utf8");
    let rest: string[] = [];
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#written += chunk.length;
      if (this.#written > OUTPUT_LIMIT) return this.kill();
      const parts = decoder.write(chunk).split("\n");
      for (const part of parts.slice(0, -1)) {
        this.#push([...rest, part].join(""));
        rest = [];
      }
      rest.push(parts.at(-1) ?? "");
    });
    this.#child.stdout?.on("end", () => this.#push(rest.join("")));
  }

  #push(line: string): void {
    if (line.trim() === "") return;
    this.out.push(parseLine(line));
    this.#notify();
  }

  #end(code: number | null, problem = ""): void {
    this.#stderr += problem;
    this.#exit ??= { code };
    this.#notify();
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

function parseLine(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return { $text: line };
  }
}
