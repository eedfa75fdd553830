import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Time limit for any wait. */
const PATIENCE_MS = 30_000;
/** Time a program has to end its children when it is asked to exit. */
const GRACE_MS = 3000;
const STDERR_LIMIT = 16 * 1024;

/** A line of a program, as far as anything is known of it. */
export type Line = Readonly<Record<string, unknown>>;

/** Options for starting a program. */
export interface ProgramStart {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** Ends the program; pending waits reject. */
  signal: AbortSignal;
}

/** A program that is spoken with in lines of JSON, each of which is awaited once. Dispose it. */
export class LineProgram implements AsyncDisposable {
  /** The command, as a person would type it. */
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #lines: Line[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #release: () => void;
  #read = 0;
  #stderr = "";
  #exit: { code: number | null } | undefined;

  constructor({ command, cwd, env, signal }: ProgramStart) {
    signal.throwIfAborted();
    this.name = `\`${command.join(" ")}\``;
    const [file = "", ...args] = command;
    // A separate process group, so that the programs it starts can be ended with it.
    this.#child = spawn(file, args, { cwd, env, stdio: "pipe", detached: true });
    this.#listen();
    const end = () => this.#signalAll("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    this.#release = () => signal.removeEventListener("abort", end);
  }

  send(message: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits for a line after the last awaited one; throws with the lines that came instead. */
  async until(what: string, fits: (line: Line) => boolean): Promise<Line> {
    const find = () => this.#lines.findIndex((line, at) => at >= this.#read && fits(line));
    await this.#waitFor(() => find() >= 0, PATIENCE_MS);
    const at = find();
    const found = this.#lines[at];
    if (found === undefined) {
      const state = this.#exit === undefined ? "still runs" : `ended with ${this.#exit.code}`;
      throw new Error(`waited for ${what} of ${this.name}, which ${state}${this.lastWords()}`);
    }
    this.#read = at + 1;
    return found;
  }

  /** Closes its input and waits for its end; returns its exit code, `null` when it was killed. */
  async finish(): Promise<number | null> {
    this.#child.stdin?.end();
    await this.#waitFor(() => false, PATIENCE_MS);
    await this[Symbol.asyncDispose]();
    return this.#exit?.code ?? null;
  }

  /** Ends the program if the work that uses it fails. */
  async disposeUnless<Result>(begin: () => Promise<Result>): Promise<Result> {
    try {
      return await begin();
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#release();
    this.#signalAll("SIGTERM");
    await this.#waitFor(() => false, GRACE_MS);
    this.#signalAll("SIGKILL");
    await this.#waitFor(() => false, PATIENCE_MS);
  }

  /** Output since the last awaited line, for messages. */
  lastWords(): string {
    const lines = this.#lines.slice(this.#read).map((line) => JSON.stringify(line).slice(0, 300));
    const errors = this.#stderr.trim().split("\n").slice(-5);
    const words = [...lines.slice(-20), ...errors].filter((line) => line !== "");
    return words.map((line) => `\n    ${line}`).join("");
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on("error", () => {}); // it may end before it has read everything
    stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk}`.slice(-STDERR_LIMIT);
    });
    if (stdout !== null) createInterface({ input: stdout }).on("line", (line) => this.#take(line));
    this.#child.on("error", (error) => this.#end(null, error.message));
    this.#child.on("close", (code) => this.#end(code));
  }

  #take(line: string): void {
    this.#lines.push(parseLine(line));
    this.#wake();
  }

  #end(code: number | null, problem = ""): void {
    this.#stderr += problem;
    this.#exit ??= { code };
    this.#wake();
  }

  #wake(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Waits until `done` holds, the program has ended or time is up. */
  #waitFor(done: () => boolean, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!done() && this.#exit === undefined) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        resolve();
      }, limitMs);
      this.#watchers.add(look);
      look();
    });
  }

  #signalAll(name: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, name);
    } catch {
      // all of them have ended already
    }
  }
}

/** Programs of others also write lines that are no JSON. */
function parseLine(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Line) : { text: line };
  } catch {
    return { text: line };
  }
}
