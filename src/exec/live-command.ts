import { constants } from "node:os";
import type { Launch } from "../sandbox/index.js";
import { waitFor } from "./child.js";
import { failureMessage, type StartFailure, startFailureFromText } from "./failure.js";
import type { TerminalSize } from "./pty.js";
import { type SessionProcess, startSessionProcess } from "./session-process.js";

/** Options for a command with streamed input and output. */
export interface LiveOptions {
  /** Launch from the sandbox; prepared with `terminal` if the command gets one. */
  launch: Launch;
  /** It gets a terminal of this size. */
  terminal?: TerminalSize | undefined;
  /** It can be written to; in a terminal it always can. */
  input?: boolean;
  /** Time limit; none by default. */
  timeoutMs?: number | undefined;
  /** Time between SIGTERM and SIGKILL at its end; two seconds by default. */
  graceMs?: number;
  /** It counts as running until all of its pipes are closed, and not only for a moment after its exit. */
  waitForPipes?: boolean;
  /** Maximum size of each stream; the rest is read and discarded. */
  capBytes: number;
  /**
   * Receives the output, which is not retained then. `isLast` is true if the rest exceeds the cap.
   * If it returns a promise, reading pauses until that resolves.
   */
  onOutput?: ((stream: "stdout" | "stderr", chunk: Buffer, isLast: boolean) => unknown) | undefined;
}

/** Exit code and retained output of a command. */
export interface LiveResult {
  /** 124 after a time-out, 137 after `end`; by another signal, 128 and its number. */
  exitCode: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** Streams whose output exceeds the cap. */
  capReached: Record<"stdout" | "stderr", boolean>;
  /** A signal ended it, ours or another. */
  bySignal: boolean;
  /** Reason why it did not run. */
  problem?: string;
}

/** A command that runs. */
export interface LiveCommand {
  /** Resolves when it and all that it started is gone; never rejects. */
  done: Promise<LiveResult>;
  /** False when it takes no input, or none any more. */
  write(bytes: Uint8Array): boolean;
  /** Closes the standard input of the command. */
  closeInput(): void;
  /** Number of bytes written to it that it has not read. */
  readonly unread: number;
  /** False without a terminal. */
  resize(size: TerminalSize): boolean;
  /** Ends it with all that it started. */
  end(): void;
}

/** Starts a command, or returns the reason why it cannot be started. */
export async function startLiveCommand(options: LiveOptions): Promise<LiveCommand | StartFailure> {
  const { launch, terminal, input = false, timeoutMs, capBytes, onOutput } = options;
  const streams = {
    stdout: new CappedStream(capBytes, "stdout", onOutput),
    stderr: new CappedStream(capBytes, "stderr", onOutput),
  };
  const process = await startSessionProcess({
    launch,
    terminal: terminal !== undefined,
    input,
    size: terminal ?? usualSize,
    graceMs: options.graceMs ?? usualGraceMs,
    waitForPipes: options.waitForPipes ?? false,
    onData: (chunk, stream) => streams[stream].push(chunk),
  });
  if ("kind" in process) {
    await launch.ended("");
    return process;
  }
  const hasTerminal = terminal !== undefined && process.terminalAsWanted;
  const ending = { isAsked: false };
  return {
    done: finish(process, launch, streams, { timeoutMs, ending }),
    write: (bytes) => process.write(bytes),
    closeInput: () => process.closeInput(),
    get unread() {
      return process.unread;
    },
    resize(size) {
      if (hasTerminal) process.resize(size);
      return hasTerminal;
    },
    end() {
      ending.isAsked = true;
      void process.end();
    },
  };
}

const usualSize: TerminalSize = { columns: 80, rows: 24 };
const usualGraceMs = 2_000;
const timeoutExitCode = 124;
/** Exit code of a command that the client ended: that of SIGKILL, whichever signal it took. */
const endedExitCode = 137;

async function finish(
  process: SessionProcess,
  launch: Launch,
  { stdout, stderr }: Record<"stdout" | "stderr", CappedStream>,
  { timeoutMs, ending }: { timeoutMs: number | undefined; ending: { isAsked: boolean } },
): Promise<LiveResult> {
  const timedOut =
    timeoutMs !== undefined && (await waitFor(process.ended, timeoutMs)) === "timeout";
  if (timedOut) await process.end();
  const { code, signal } = await process.ended;
  const report = await launch.ended(stderr.text);
  const capReached = { stdout: stdout.isExceeded, stderr: stderr.isExceeded };
  const texts = { stdout: stdout.text, stderr: stderr.text, capReached };
  const bySignal = signal !== null && !timedOut;
  if (!report.ran) {
    const { reason } = report;
    const problem =
      report.cause === "command"
        ? failureMessage(startFailureFromText(reason))
        : report.cause === "breach"
          ? reason
          : `The sandbox could not be set up: ${reason}`;
    return { exitCode: -1, stdout: "", stderr: "", timedOut, capReached, bySignal: false, problem };
  }
  const bySignalCode = (name: NodeJS.Signals) =>
    ending.isAsked ? endedExitCode : 128 + constants.signals[name];
  const own = code ?? (signal === null ? -1 : bySignalCode(signal));
  return { exitCode: timedOut ? timeoutExitCode : own, ...texts, timedOut, bySignal };
}

/** One stream of a command up to its cap: passed to the callback, or retained if there is none. */
class CappedStream {
  #left: number;
  #isExceeded = false;
  readonly #name: "stdout" | "stderr";
  readonly #onOutput: LiveOptions["onOutput"];
  readonly #kept: Buffer[] = [];

  constructor(cap: number, name: "stdout" | "stderr", onOutput: LiveOptions["onOutput"]) {
    this.#left = cap;
    this.#name = name;
    this.#onOutput = onOutput;
  }

  get text(): string {
    return Buffer.concat(this.#kept).toString("utf8");
  }

  /** True if output was discarded. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  push(chunk: Buffer): unknown {
    this.#isExceeded ||= chunk.length > this.#left;
    if (this.#left <= 0) return undefined;
    const piece = chunk.subarray(0, this.#left);
    this.#left -= piece.length;
    const isLast = this.#left === 0 && piece.length < chunk.length;
    if (this.#onOutput !== undefined) return this.#onOutput(this.#name, piece, isLast);
    this.#kept.push(Buffer.from(piece));
    return undefined;
  }
}
