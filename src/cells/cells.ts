import { Slots } from "../lib/slots.js";
import type { Sandbox } from "../sandbox/index.js";
import { Cell, type CellCalls, type CellState } from "./cell.js";
import { CellHost, type CellLimits } from "./cell-host.js";
import type { CellReport } from "./cell-output.js";
import prelude from "./host/prelude.js.txt";
import type { CellMessage } from "./messages.js";

/** Options of the cells of a session. */
export interface CellsOptions {
  sandbox: Pick<Sandbox, "isolate">;
  limits: CellLimits;
  /** Most characters that `store` keeps for later cells; 32 MiB by default. */
  mostStored?: number;
}

/** A script to run. */
export interface CellStart {
  source: string;
  /** Tools on `tools`; the input of `isText` is a string. */
  tools: readonly { name: string; isText: boolean }[];
  /** Value of `ALL_TOOLS`. */
  described: readonly { name: string; description: string }[];
  calls: CellCalls;
  /** Ends the cell when it aborts. */
  signal: AbortSignal;
}

/** Options of a wait. */
export interface WaitOptions {
  yieldMs: number;
  signal: AbortSignal;
}

/**
 * The cells of a session: scripts that call tools.
 *
 * All run in one process, which starts with the first and is replaced if it ends.
 */
export class Cells {
  readonly #options: CellsOptions;
  readonly #slots = new Slots(callsAtOnce);
  #host: Promise<CellHost> | undefined;
  #cells = new Map<number, Cell>();
  #count = 0;
  /** Values of `store` as JSON; they outlive the process. */
  #stored = new Map<string, string>();
  #storedSize = 0;

  constructor(options: CellsOptions) {
    this.#options = options;
  }

  /** Starts a cell and waits for it; rejects with a text for the model if cells cannot run here. */
  async run(start: CellStart, options: WaitOptions): Promise<CellReport> {
    const began = performance.now();
    const host = await this.#startHost();
    const id = ++this.#count;
    const cell = new Cell(id, start.calls, {
      send: (message) => host.send(message),
      slots: this.#slots,
      seconds: this.#options.limits.seconds,
      memoryMb: this.#options.limits.memoryMb,
    });
    this.#cells.set(id, cell);
    const { source, tools, described, signal } = start;
    const stored = [...this.#stored];
    const setup = JSON.stringify({ tools, described, stored, mostStored: this.#mostStored });
    host.send({ type: "start", cell: id, source, prelude, setup });
    const abort = () => this.#end(cell);
    signal.addEventListener("abort", abort, { once: true });
    void cell.over.then(() => signal.removeEventListener("abort", abort));
    return this.#observe(cell, { ...options, began });
  }

  /** Waits for a cell that is still running; undefined if there is none with this id. */
  async wait(id: number, options: WaitOptions): Promise<CellReport | undefined> {
    const cell = this.#cells.get(id);
    return cell && this.#observe(cell, { ...options, began: performance.now() });
  }

  /** Ends a cell; undefined if there is none with this id. */
  terminate(id: number): CellReport | undefined {
    const cell = this.#cells.get(id);
    if (cell === undefined) return undefined;
    const state = cell.terminate();
    this.#cells.delete(id);
    if (state.outcome !== undefined) return reportOf(id, state, 0);
    return { state: "terminated", parts: state.parts, ms: 0 };
  }

  /** Ends all cells and their process. */
  async close(): Promise<void> {
    for (const cell of this.#cells.values()) this.#end(cell);
    const host = await this.#host?.catch(() => undefined);
    host?.close();
  }

  async #observe(
    cell: Cell,
    { yieldMs, signal, began }: WaitOptions & { began: number },
  ): Promise<CellReport> {
    const state = await cell.observe(yieldMs, signal);
    signal.throwIfAborted();
    if (state.outcome !== undefined) this.#cells.delete(cell.id);
    return reportOf(cell.id, state, performance.now() - began);
  }

  #end(cell: Cell): void {
    cell.end({});
    this.#cells.delete(cell.id);
  }

  #startHost(): Promise<CellHost> {
    this.#host ??= CellHost.start({
      ...this.#options,
      onMessage: (id, message) => this.#receive(id, message),
      onEnd: (reason) => this.#lose(reason),
    }).catch((error: unknown) => {
      this.#host = undefined;
      throw error;
    });
    return this.#host;
  }

  #receive(id: number, message: CellMessage): void {
    if (message.type === "store") this.#store(message.key, message.value);
    else this.#cells.get(id)?.receive(message);
  }

  get #mostStored(): number {
    return this.#options.mostStored ?? 32 * 1024 * 1024;
  }

  /** The script has checked its size, but there may be others. */
  #store(key: string, value: string): void {
    const before = this.#stored.get(key);
    const added = value.length - (before === undefined ? -key.length : before.length);
    const size = this.#storedSize + added;
    if (size > this.#mostStored) return;
    this.#storedSize = size;
    this.#stored.set(key, value);
  }

  /** The process has ended unexpectedly: its cells fail, and the next one gets a new process. */
  #lose(reason: string): void {
    this.#host = undefined;
    for (const cell of this.#cells.values()) cell.end({ error: reason });
  }
}

function reportOf(id: number, { parts, outcome }: CellState, ms: number): CellReport {
  if (outcome === undefined) return { state: { running: id }, parts, ms };
  const { error } = outcome;
  if (error === undefined) return { state: "completed", parts, ms };
  return { state: "failed", parts, error, ms };
}

/** Calls of all cells that run at the same time: as many as there can be commands. Others wait. */
const callsAtOnce = 64;
