import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundleProgram } from "../support/bundle-program.js";

/** Messages of the child: opened, lines written so far, or an error. */
export interface Told {
  opened?: boolean;
  written?: number;
  done?: string;
  failure?: string;
  recovery?: string;
  error?: string;
  closed?: boolean;
}

/** A writer in a separate process. */
export interface Writer extends AsyncDisposable {
  child: ChildProcess;
  told: Told[];
  send(command: string): void;
  /** Waits for a message of that kind. */
  until(matches: (told: Told) => boolean): Promise<Told>;
  /** Waits until the process has exited. */
  end(): Promise<void>;
}

/** Bundles the child program into a folder; the function starts it. */
export async function buildWriter(folder: string) {
  const program = await bundleProgram(join(import.meta.dirname, "child.ts"), folder);
  return (options: object, wrapper: readonly string[] = []): Writer => {
    const [command, ...args] = [...wrapper, process.execPath, program, JSON.stringify(options)];
    return startWriter(spawn(command ?? "", args, { stdio: ["pipe", "pipe", "inherit"] }));
  };
}

function startWriter(child: ChildProcess): Writer {
  const told: Told[] = [];
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(lines, "close");
  lines.on("line", (line) => told.push(JSON.parse(line) as Told));
  return {
    child,
    told,
    send: (command) => void child.stdin?.write(`${command}\n`),
    async until(matches) {
      for (let seen = 0; ; ) {
        for (; seen < told.length; seen++) {
          const one = told[seen];
          if (one !== undefined && matches(one)) return one;
        }
        const what = await Promise.race([once(lines, "line"), ended.then(() => "ended" as const)]);
        if (what === "ended" && seen === told.length) throw new Error("the child ended");
      }
    },
    async end() {
      child.stdin?.end();
      await Promise.all([exited, ended]);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
