import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Launch } from "../sandbox/index.js";
import { type ChildExit, exitOf, isStarted, type StartedChild, startChild } from "./child.js";
import { endTree, type ProcessTree } from "./process-tree.js";
import { openTerminal, type Terminal, type TerminalSize } from "./pty.js";
import type { StartFailure } from "./result.js";
import type { Stdio } from "./sealed-stdio.js";
import { waitFor } from "./wait.js";

/** A process that runs on while others wait for what it has to say. */
export interface SessionProcess {
  /** False: it was to have a terminal, and none could be opened. */
  terminalAsWanted: boolean;
  /** Resolves when it and everything it started is gone, and all that it wrote was passed on. */
  ended: Promise<ChildExit>;
  /** False when it takes no input. */
  write(text: string): boolean;
  /** Does nothing without a terminal. */
  resize(size: TerminalSize): void;
  /** Ends it and everything it started. */
  end(): Promise<void>;
}

/** A process to start. */
export interface SessionProcessOptions {
  launch: Launch;
  /** It gets a terminal; otherwise its input is empty. */
  terminal: boolean;
  size: TerminalSize;
  graceMs: number;
  /** How terminals are opened; another way is for tests. */
  openTerminal?: typeof openTerminal;
  onData(chunk: Buffer): void;
}

/** Starts a process in a terminal, or with pipes where that is not wanted or not possible. */
export async function startSessionProcess(
  options: SessionProcessOptions,
): Promise<SessionProcess | StartFailure> {
  const { launch, graceMs } = options;
  const mark = launch.sandbox === "none" ? { mark: randomUUID() } : {};
  const open = options.openTerminal ?? openTerminal;
  const terminal = options.terminal ? await open(options.size) : undefined;
  const child = await (terminal === undefined
    ? startChild(launch, { stdio: [options.terminal ? "pipe" : "ignore", "pipe", "pipe"], ...mark })
    : startInTerminal(launch, terminal, mark));
  if (!isStarted(child)) {
    terminal?.outer.destroy();
    return child;
  }
  const outputs = terminal === undefined ? pipesOf(child) : [terminal.outer];
  const drained = Promise.all(outputs.map((output) => readAll(output, options.onData)));
  const input: Writable | null = terminal === undefined ? child.stdin : terminal.outer;
  input?.on("error", () => {}); // It ended before it read what was written to it.
  const tree: ProcessTree = { pid: child.pid, ...mark };
  return {
    terminalAsWanted: options.terminal === (terminal !== undefined),
    ended: endOf(child, tree, outputs, drained, graceMs),
    write(text) {
      if (input === null || input.destroyed) return false;
      input.write(text);
      return true;
    },
    resize: (size) => terminal?.resize(size),
    end: () => endTree(tree, graceMs),
  };
}

/** Opens the terminal by name, so that it becomes that of the new session, then becomes the command. */
const takeTerminal = 'exec 0<>"$1" 1>&0 2>&0 && shift && exec "$@"';

async function startInTerminal(launch: Launch, terminal: Terminal, mark: { mark?: string }) {
  const shield = launch.shielded ? "trap '' INT QUIT && " : "";
  const stdio: Stdio = [terminal.inner, terminal.inner, terminal.inner];
  const script = `${shield}${takeTerminal}`;
  try {
    return await startChild(launch, {
      stdio,
      ...mark,
      through: {
        file: "/bin/sh",
        args: ["-c", script, "sh", terminal.name, launch.file, ...launch.args],
      },
    });
  } finally {
    terminal.closeInner();
  }
}

function pipesOf(child: StartedChild): Readable[] {
  return [child.stdout, child.stderr].filter((stream) => stream !== null);
}

/** Passes on all that comes; the error a terminal ends with is no error. */
function readAll(output: Readable, onData: (chunk: Buffer) => void): Promise<void> {
  output.on("data", onData);
  return new Promise((resolve) => {
    output.once("close", resolve);
    output.on("error", () => resolve());
  });
}

async function endOf(
  child: StartedChild,
  tree: ProcessTree,
  outputs: readonly Readable[],
  drained: Promise<unknown>,
  graceMs: number,
): Promise<ChildExit> {
  const exit = await exitOf(child);
  await waitFor(drained, pipeWaitMs);
  await endTree(tree, graceMs);
  for (const output of outputs) output.destroy();
  child.stdin?.destroy();
  return exit;
}

const pipeWaitMs = 200;
