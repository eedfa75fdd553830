import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Event, Op } from "../src/protocol/types.js";

/** The folders of a conversation under test. */
export interface Place {
  root: string;
  home: string;
  workspace: string;
}

export function placeIn(root: string): Place {
  return { root, home: join(root, "home"), workspace: join(root, "workspace") };
}

/** `quire proto --no-session` from a client's side: received events count, also after a kill. */
export class ProtoProcess {
  readonly events: Event[] = [];
  /** Resolves when the process is gone and all it wrote has been read. */
  readonly ended: Promise<unknown>;
  /** Called with each event as it comes. */
  onEvent: (event: Event) => void = () => {};
  stderr = "";
  #child: ChildProcessWithoutNullStreams;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor({ root, home, workspace }: Place) {
    const args = [resolve("bin/quire.js"), "proto", "--no-session"];
    this.#child = spawn(process.execPath, args, {
      cwd: workspace,
      env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home },
    });
    const lines = createInterface({ input: this.#child.stdout });
    lines.on("line", (line) => this.#read(line));
    this.#child.stderr.on("data", (data: Buffer) => {
      this.stderr += data;
    });
    this.#child.stdin.on("error", () => {}); // it is killed while we write
    this.ended = Promise.all([once(this.#child, "close"), once(lines, "close")]).then(() => {
      this.#hasEnded = true;
      this.#wake?.();
    });
  }

  send(id: string, op: Op): void {
    this.#child.stdin.write(`${JSON.stringify({ id, op })}\n`);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async shutDown(): Promise<void> {
    this.#child.stdin.end();
    await this.ended;
  }

  /** Waits for the first event that fits; nothing when the process ends before. */
  async until(fits: (event: Event) => boolean): Promise<Event | undefined> {
    for (let seen = 0; ; ) {
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen];
        if (event !== undefined && fits(event)) return event;
      }
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #read(line: string): void {
    const event = tryParse(line);
    if (event === undefined) return;
    this.events.push(event);
    this.onEvent(event);
    this.#wake?.();
  }
}

/** The last line of a killed process may be half a line. */
function tryParse(line: string): Event | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
