import { constants } from "node:os";
import { HeadTailBuffer } from "../lib/head-tail-buffer.js";
import type { Launch, LaunchReport } from "../sandbox/index.js";
import { type ChildExit, limitDeltas, type OnOutput } from "./child.js";
import { failureMessage, type StartFailure } from "./failure.js";
import type { Hosting } from "./hosted.js";
import type { TerminalSize } from "./pty.js";
import {
  type SessionProcess,
  type SessionProcessOptions,
  startSessionProcess,
} from "./session-process.js";

/** A long-running process to start. */
export interface SessionOptions {
  /** Launch from the sandbox; prepared with `terminal` if the process gets one. */
  launch: Launch;
  /** It gets a terminal and can be written to; else its input is empty. */
  terminal?: boolean;
  size?: TerminalSize;
  hosting?: Hosting | undefined;
  openTerminal?: SessionProcessOptions["openTerminal"];
  /** The call that starts it. */
  callId?: string;
  /** It was started in a turn that may change nothing. */
  isConfined?: boolean;
  /** Command line and folder, for lists of running commands. */
  command?: string;
  cwd?: string;
  /** Called once after the attempt to start it, before any output. */
  onSpawn?(): void;
  onOutput?: OnOutput;
  /** Called once when it has ended, for any reason. */
  onEnd?(end: SessionEnd): void;
}

/** End of a session. */
export interface SessionEnd {
  sessionId: number;
  exitCode: number;
  /** All it wrote; of more than the limit the beginning and the end. */
  text: string;
  durationMs: number;
}

/** One long-running process and its unread output. */
export class ExecSession {
  readonly id: number;
  readonly callId: string | undefined;
  readonly isConfined: boolean;
  readonly command: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs = Date.now();
  /** False: it was to have a terminal, and none could be opened. */
  readonly terminalAsWanted: boolean;
  /** True if it can be written to. */
  readonly takesInput: boolean;
  /** Resolves when it has ended and all its output was read. */
  readonly ended: Promise<void>;
  readonly #process: SessionProcess;
  readonly #unread: HeadTailBuffer;
  #exitCode: number | undefined;
  /** Exit code to report instead of its own, if it was ended on request. */
  #endCode: number | undefined;

  /** Starts the process. */
  static async start(
    id: number,
    options: SessionOptions,
    limits: { bufferBytes: number; graceMs: number },
  ): Promise<ExecSession | StartFailure> {
    const unread = HeadTailBuffer.halves(limits.bufferBytes);
    const all = HeadTailBuffer.halves(limits.bufferBytes);
    const onOutput = options.onOutput === undefined ? undefined : limitDeltas(options.onOutput);
    const process = await startSessionProcess({
      launch: options.launch,
      terminal: options.terminal === true,
      size: options.size ?? usualSize,
      graceMs: limits.graceMs,
      hosting: options.hosting,
      ...(options.openTerminal === undefined ? {} : { openTerminal: options.openTerminal }),
      onData(chunk) {
        unread.push(chunk);
        all.push(chunk);
        return onOutput?.("stdout", chunk);
      },
    });
    options.onSpawn?.();
    if ("kind" in process) {
      await options.launch.ended("");
      return process;
    }
    return new ExecSession(id, options, process, { unread, all });
  }

  private constructor(
    id: number,
    options: SessionOptions,
    process: SessionProcess,
    { unread, all }: { unread: HeadTailBuffer; all: HeadTailBuffer },
  ) {
    const began = performance.now();
    this.id = id;
    this.callId = options.callId;
    this.isConfined = options.isConfined ?? false;
    this.command = options.command ?? "";
    this.cwd = options.cwd ?? "";
    this.terminalAsWanted = process.terminalAsWanted;
    this.takesInput = options.terminal === true;
    this.#process = process;
    this.#unread = unread;
    this.ended = process.ended.then(async (exit) => {
      const report = await options.launch.ended(all.bytes().toString("utf8"));
      this.#exitCode = this.#endCode ?? (report.ran ? codeOf(exit) : -1);
      const text = report.ran ? all.bytes().toString("utf8") : reasonOf(report);
      if (!report.ran) {
        unread.clear();
        unread.push(Buffer.from(text));
      }
      const durationMs = performance.now() - began;
      options.onEnd?.({ sessionId: id, exitCode: this.#exitCode, text, durationMs });
    });
  }

  /** Absent while it runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Returns the output since the last call; its middle may be missing. */
  takeText(): string {
    const text = this.#unread.bytes().toString("utf8");
    this.#unread.clear();
    return text;
  }

  /** Types; false when it takes no input or is gone. */
  write(text: string): boolean {
    return this.#process.write(text);
  }

  resize(size: TerminalSize): void {
    this.#process.resize(size);
  }

  /** Ends it with everything it started. `exitCode` is reported instead of its own. */
  async end(exitCode?: number): Promise<void> {
    this.#endCode ??= exitCode;
    await this.#process.end();
    await this.ended;
  }
}

const usualSize: TerminalSize = { columns: 80, rows: 24 };

function codeOf({ code, signal }: ChildExit): number {
  return code ?? (signal === null ? -1 : 128 + constants.signals[signal]);
}

function reasonOf(report: Extract<LaunchReport, { ran: false }>): string {
  if (report.cause !== "sandbox") return report.reason;
  return failureMessage({
    kind: "sandbox",
    message: `The sandbox could not be set up: ${report.reason}`,
  });
}
