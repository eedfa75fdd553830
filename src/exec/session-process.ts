import { once } from "node:events";
import type { Writable } from "node:stream";
import { createDeferred } from "../lib/async.js";
import { randomUuid } from "../lib/ids.js";
import { endTree, type ProcessTree, signalTree } from "../lib/process-tree.js";
import type { Launch } from "../sandbox/index.js";
import {
  type ChildExit,
  endWithUs,
  exitOf,
  isStarted,
  outputGate,
  readOutput,
  type StartedChild,
  startChild,
  waitForPipes,
} from "./child.js";
import type { StartFailure } from "./failure.js";
import type { Hosting } from "./hosted.js";
import { openTerminal, type Terminal, type TerminalSize } from "./pty.js";
import type { Stdio } from "./sealed-stdio.js";

/** A process that keeps running between calls. */
export interface SessionProcess {
  /** False: it was to have a terminal, and none could be opened. */
  terminalAsWanted: boolean;
  /** Resolves when it and everything it started is gone, and all that it wrote was passed on. */
  ended: Promise<ChildExit>;
  /** False when it takes no input. */
  write(data: string | Uint8Array): boolean;
  /** Ends its input; in a terminal by the end-of-input character. */
  closeInput(): void;
  /** Number of bytes written to it that it has not read. */
  readonly unread: number;
  /** Does nothing without a terminal. */
  resize(size: TerminalSize): void;
  /** Ends it and everything it started. */
  end(): Promise<void>;
}

/** A process to start. */
export interface SessionProcessOptions {
  launch: Launch;
  /** If true, it gets a terminal; otherwise its input is empty unless `input` is set. */
  terminal: boolean;
  input?: boolean;
  size: TerminalSize;
  graceMs: number;
  /** It counts as running until all of its pipes are closed, and not only for a moment after its exit. */
  waitForPipes?: boolean;
  /** Runs it in a terminal of another program, if it needs no input and the launch allows that. */
  hosting?: Hosting | undefined;
  /** Opens terminals; replaced in tests. */
  openTerminal?: (size: TerminalSize) => Promise<Terminal | undefined>;
  /** In a terminal all comes as `stdout`. If it returns a promise, no more is read before it resolves. */
  onData(chunk: Buffer, stream: "stdout" | "stderr"): unknown;
}

/** Starts a process in a terminal, or with pipes where that is not wanted or not possible. */
export async function startSessionProcess(
  options: SessionProcessOptions,
): Promise<SessionProcess | StartFailure> {
  const { launch, graceMs } = options;
  const hosted = options.hosting && (await startInHost(options, options.hosting));
  if (hosted !== undefined) return hosted;
  const mark = launch.sandbox === "none" ? { mark: randomUuid() } : {};
  const open = options.openTerminal ?? openTerminal;
  const terminal = options.terminal ? await open(options.size) : undefined;
  const child = await (terminal === undefined
    ? startChild(launch, {
        stdio: [options.terminal || options.input ? "pipe" : "ignore", "pipe", "pipe"],
        ...mark,
      })
    : startInTerminal(launch, terminal, mark));
  if (!isStarted(child)) {
    terminal?.close(() => {});
    return child;
  }
  const input: Writable | null = terminal === undefined ? child.stdin : terminal.outer;
  input?.on("error", () => {}); // The process ended before it read its input.
  const tree: ProcessTree = { pid: child.pid, ...mark };
  const takeBack = endWithUs(tree, launch);
  launch.onBreach?.(() => signalTree(tree, "SIGKILL"));
  const asked = createDeferred<void>();
  if (options.waitForPipes !== true) asked.resolve();
  const gate = outputGate(launch);
  const onData: SessionProcessOptions["onData"] = (chunk, stream) =>
    gate.pass(chunk, () => options.onData(chunk, stream));
  const ended =
    terminal === undefined
      ? endOfPiped(child, onData, asked.promise, () => endTree(tree, graceMs))
      : endInTerminal(child, terminal, onData, () => endTree(tree, graceMs));
  return {
    terminalAsWanted: options.terminal === (terminal !== undefined),
    ended: ended.finally(takeBack).finally(() => gate.drained()),
    write(data) {
      if (input === null || input.destroyed || input.writableEnded) return false;
      input.write(data);
      return true;
    },
    closeInput() {
      if (terminal === undefined) input?.end();
      else input?.write(endOfInput);
    },
    get unread() {
      return input?.writableLength ?? 0;
    },
    resize: (size) => terminal?.resize(size),
    end() {
      asked.resolve();
      return endTree(tree, graceMs);
    },
  };
}

/** Starts a process in a terminal of its host; undefined if that is not possible. */
async function startInHost(
  { launch, terminal, input, graceMs, onData }: SessionProcessOptions,
  hosting: Hosting,
): Promise<SessionProcess | StartFailure | undefined> {
  const { isHostable, startHosted } = await import("./hosted.js");
  if (terminal || input || !isHostable(launch)) return undefined;
  const process = await startHosted(launch, hosting, {
    graceMs,
    onData: (chunk) => onData(chunk, "stdout"),
  });
  if (process === undefined || "kind" in process) return process;
  return {
    terminalAsWanted: true,
    ended: process.ended,
    write: () => false,
    closeInput() {},
    unread: 0,
    resize() {},
    end: () => process.end(),
  };
}

/** The end-of-input character of a terminal, at the start of a line. */
const endOfInput = "\x04";

/** Opens the terminal by name, so that it becomes that of the new session, then becomes the command. */
const takeTerminal = 'exec 0<>"$1" 1>&0 2>&0 && shift && exec "$@"';

async function startInTerminal(launch: Launch, terminal: Terminal, mark: { mark?: string }) {
  const shield = launch.shielded ? "trap '' INT QUIT && " : "";
  const stdio: Stdio = [terminal.inner, terminal.inner, terminal.inner];
  const script = `${shield}${takeTerminal}`;
  const args = ["-c", script, "sh", terminal.name, launch.file, ...launch.args];
  return startChild(launch, { stdio, ...mark, through: { file: "/bin/sh", args } });
}

async function endInTerminal(
  child: StartedChild,
  terminal: Terminal,
  onData: SessionProcessOptions["onData"],
  endRest: () => Promise<void>,
): Promise<ChildExit> {
  const onChunk = (chunk: Buffer) => onData(chunk, "stdout");
  const release = readOutput(terminal.outer, onChunk);
  const exit = await exitOf(child);
  await release();
  await endRest();
  terminal.close(onChunk);
  return exit;
}

async function endOfPiped(
  child: StartedChild,
  onData: SessionProcessOptions["onData"],
  asked: Promise<void>,
  endRest: () => Promise<void>,
): Promise<ChildExit> {
  const closed = once(child, "close");
  const releases = (["stdout", "stderr"] as const).map((stream) =>
    readOutput(child[stream], (chunk) => onData(chunk, stream)),
  );
  const exit = await exitOf(child);
  await Promise.all(releases.map((release) => release()));
  await Promise.race([closed, asked]);
  await waitForPipes(closed, pipeWaitMs);
  await endRest();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
  return exit;
}

const pipeWaitMs = 200;
