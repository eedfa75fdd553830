import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Place } from "../proto-process.js";

/** A line of the server: an answer or a notification. */
export interface Line {
  id?: number;
  method?: string;
  result?: { thread?: ReadThread };
  error?: { message: string };
  params?: {
    threadId?: string;
    turn?: { status: string };
    item?: { type: string; kind?: string; agentPath?: string; agentThreadId?: string };
  };
}

/** A thread with its turns, as the server returns it. */
export interface ReadThread {
  id: string;
  turns: { items: object[] }[];
}

/** `quire app-server` on its standard streams, from the side of a client. */
export class AgentServer {
  readonly lines: Line[] = [];
  /** Called with each line as it comes. */
  onLine: (line: Line) => void = () => {};
  stderr = "";
  readonly ended: Promise<unknown>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #wake = new Set<() => void>();
  #hasEnded = false;
  #asked = 0;

  constructor({ root, home, workspace }: Place) {
    this.#child = spawn(process.execPath, [resolve("bin/quire.js"), "app-server"], {
      cwd: workspace,
      env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home },
    });
    const lines = createInterface({ input: this.#child.stdout });
    lines.on("line", (text) => this.#read(text));
    this.#child.stderr.on("data", (data: Buffer) => {
      this.stderr += data;
    });
    this.#child.stdin.on("error", () => {}); // it is killed while we write
    this.ended = Promise.all([once(this.#child, "close"), once(lines, "close")]).then(() => {
      this.#hasEnded = true;
      for (const wake of this.#wake) wake();
    });
  }

  /** Sends a request; resolves with its answer, or with undefined if the server ends before. */
  async request(method: string, params: object): Promise<Line | undefined> {
    const id = ++this.#asked;
    this.#child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    return this.until((line) => line.id === id && line.method === undefined);
  }

  /** Waits for the first line that fits, from an index on; undefined when the server ends before. */
  async until(fits: (line: Line) => boolean, from = 0): Promise<Line | undefined> {
    for (let seen = from; ; ) {
      for (; seen < this.lines.length; seen++) {
        const line = this.lines[seen];
        if (line !== undefined && fits(line)) return line;
      }
      if (this.#hasEnded) return undefined;
      await new Promise<void>((wake) => this.#wake.add(wake));
    }
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async shutDown(): Promise<void> {
    this.#child.stdin.end();
    await this.ended;
  }

  #read(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text);
    } catch {
      return; // the last line of a killed server may be cut in two
    }
    this.lines.push(line);
    this.onLine(line);
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }
}
