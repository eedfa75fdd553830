import type { Slots } from "../lib/slots.js";
import type { ToolOutputContent } from "../protocol/types.js";
import type { ToolOutput } from "../tools/index.js";
import { toPicture, toResult } from "./cell-output.js";
import type { CellMessage, HostRequest } from "./messages.js";

/** Effects of a cell outside of it. */
export interface CellCalls {
  /** Calls a tool as the model would; rejects when the turn is aborted, which ends the cell. */
  callTool(name: string, input: string): Promise<ToolOutput>;
  /** Sends the model a text with its next request. */
  notify(text: string): void;
}

/** Connection and limits of a cell. */
interface CellOptions {
  send(message: HostRequest): void;
  /** Calls that run at the same time, with those of the other cells. */
  slots: Slots;
  seconds: number;
  memoryMb: number;
}

/** End of a cell; without an error it completed. */
export interface CellOutcome {
  error?: string;
}

/** State of a cell, and its output since the last time. */
export interface CellState {
  parts: ToolOutputContent[];
  /** Undefined while it runs. */
  outcome: CellOutcome | undefined;
}

/** A script that runs or has ended, with the output that was not taken yet. */
export class Cell {
  readonly id: number;
  outcome: CellOutcome | undefined;
  /** Resolves when the cell has ended. */
  readonly over: Promise<void>;
  readonly #calls: CellCalls;
  readonly #options: CellOptions;
  #parts: ToolOutputContent[] = [];
  #size = 0;
  #noticeSize = 0;
  #pending = 0;
  #isOver = () => {};
  /** Resolves when the script begins to run, or is over. */
  readonly #started: Promise<void>;
  #hasStarted = () => {};
  /** Each ends an observation with the output so far. */
  readonly #observers = new Set<() => void>();
  #limit: NodeJS.Timeout | undefined;

  constructor(id: number, calls: CellCalls, options: CellOptions) {
    this.id = id;
    this.#calls = calls;
    this.#options = options;
    this.over = new Promise((resolve) => {
      this.#isOver = resolve;
    });
    this.#started = new Promise((resolve) => {
      this.#hasStarted = resolve;
    });
    this.#limitTime();
  }

  /**
   * Waits until the cell ends, yields, or the time is up; returns its state and output at that moment. The
   * start of the process does not count.
   */
  async observe(yieldMs: number, signal: AbortSignal): Promise<CellState> {
    if (this.outcome !== undefined) return this.#take();
    signal.throwIfAborted();
    return new Promise<CellState>((resolve, reject) => {
      const stop = (settle: () => void) => () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#observers.delete(onTime);
        settle();
      };
      const onAbort = stop(() => reject(signal.reason));
      const onTime = stop(() => resolve(this.#take()));
      let timer: NodeJS.Timeout | undefined;
      void this.#started.then(() => {
        if (!this.#observers.has(onTime)) return;
        timer = setTimeout(onTime, Math.min(yieldMs, longestTimer));
      });
      signal.addEventListener("abort", onAbort, { once: true });
      this.#observers.add(onTime);
    });
  }

  /** Ends the cell for the model and returns the output that is left. */
  terminate(): CellState {
    const state = this.#take();
    this.end({});
    return state;
  }

  #take(): CellState {
    const parts = this.#parts;
    this.#parts = [];
    this.#size = 0;
    return { parts, outcome: this.outcome };
  }

  receive(message: Exclude<CellMessage, { type: "store" }>): void {
    if (this.outcome !== undefined) return;
    switch (message.type) {
      case "text":
        this.#add({ type: "input_text", text: message.text }, message.text.length);
        return;
      case "image":
        this.#add(toPicture(message.url, message.detail), message.url.length);
        return;
      case "notify":
        this.#notify(message.text);
        return;
      case "started":
        this.#hasStarted();
        return;
      case "yield":
        this.#wake();
        return;
      case "call":
        void this.#call(message.call, message.name, message.input);
        return;
      case "done":
        this.#settle(this.#outcomeOf(message));
    }
  }

  /** Ends the cell at once. */
  end(outcome: CellOutcome): void {
    if (this.outcome !== undefined) return;
    this.#options.send({ type: "end", cell: this.id });
    this.#settle(outcome);
  }

  #outcomeOf({ error, failure }: Extract<CellMessage, { type: "done" }>): CellOutcome {
    if (failure === "memory") {
      return { error: `the script was ended: it used more than ${this.#options.memoryMb} MB` };
    }
    if (failure === "output") return { error: tooMuch };
    if (failure === "crash") return { error: "the script was ended: its thread has stopped" };
    return error === undefined ? {} : { error };
  }

  #settle(outcome: CellOutcome): void {
    this.outcome = outcome;
    clearTimeout(this.#limit);
    this.#isOver();
    this.#hasStarted();
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#observers]) wake();
  }

  /** All of it is in the next request, so that it has a limit as the output has. */
  #notify(text: string): void {
    this.#noticeSize += Math.max(text.length, leastNotice);
    if (this.#noticeSize > mostNotices) this.end({ error: tooManyNotices });
    else this.#calls.notify(text);
  }

  #add(part: ToolOutputContent, size: number): void {
    this.#size += size;
    this.#parts.push(part);
    if (this.#size > mostOutput) this.end({ error: tooMuch });
  }

  async #call(call: number, name: string, input: string): Promise<void> {
    this.#pending++;
    clearTimeout(this.#limit);
    const run = async () =>
      this.outcome === undefined ? this.#calls.callTool(name, input) : aborted;
    const output = await this.#options.slots.run(run).catch(() => aborted);
    this.#pending--;
    if (this.outcome !== undefined) return;
    if (this.#pending === 0) this.#limitTime();
    this.#options.send({ type: "result", cell: this.id, call, ...toResult(output) });
  }

  /** Starts the time that the script may run; waiting for a tool does not count. */
  #limitTime(): void {
    const { seconds } = this.#options;
    const error = `the script was ended: it ran for ${seconds} s without waiting for a tool`;
    this.#limit = setTimeout(() => this.end({ error }), Math.min(seconds * 1000, longestTimer));
    this.#limit.unref();
  }
}

const aborted: ToolOutput = { text: "aborted", success: false };

/** Longer timers fire immediately. */
const longestTimer = 2 ** 31 - 1;

/** Most characters that are held until the model reads them. */
const mostOutput = 20_000_000;
const tooMuch = `the script was ended: it wrote more than ${mostOutput} characters`;

/** Most characters of notifications, and those that each counts for at least. */
const mostNotices = 40_000;
const leastNotice = 40;
const tooManyNotices = `the script was ended: it notified with more than ${mostNotices} characters`;
