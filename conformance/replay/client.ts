import { setTimeout as sleep } from "node:timers/promises";
import { isOutputDelta } from "../compare/deltas.js";
import { kindOf } from "../compare/kind.js";
import { show } from "../compare/show.js";
import { type Awaited, type ClientStep, isObject, type Json, type Trace } from "../trace/trace.js";
import { describeAwaited, isAwaited } from "./awaited.js";
import type { LiveBindings } from "./live-bindings.js";
import type { Program } from "./program.js";

/** Time for the server to catch up with the trace, for a client without a wait step. */
export const CATCH_UP_MS = 1000;
/** Idle time at the end after which the missing lines are given up. */
const QUIET_MS = 4000;
/** Time within which surplus lines arrive. */
const GRACE_MS = 100;
/** The recorder waited this long for programs it then had to kill. */
const KILLED_MS = 2000;

/** The client of a trace: sends its lines when their time has come. */
export class Client {
  readonly #trace: Trace;
  readonly #program: Program;
  readonly #live: LiveBindings;
  readonly #timeoutMs: number;
  #cursor = 0;

  constructor(trace: Trace, program: Program, live: LiveBindings, timeoutMs: number) {
    this.#trace = trace;
    this.#program = program;
    this.#live = live;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns why it gave up, or nothing when it came to the end. */
  async run(): Promise<string | undefined> {
    const { meta, client, end } = this.#trace;
    if (meta.stdin !== undefined) this.#program.writeText(meta.stdin);
    if (client.length === 0 && end.ended_by === "itself") this.#program.closeInput();
    for (const step of client) {
      const failure = await this.#take(step);
      if (failure !== undefined) return failure;
    }
    await this.#awaitRest();
    this.#program.closeInput();
    const bound = end.exit_code === null ? KILLED_MS : this.#timeoutMs;
    const ended = await this.#program.until(() => this.#program.exited, bound);
    if (ended || end.exit_code === null) return undefined;
    return `end: did not exit within ${bound} ms after its input was closed`;
  }

  async #take(step: ClientStep): Promise<string | undefined> {
    const failure = await this.#awaitTurn(step);
    if (failure !== undefined) return failure;
    if (step.delayMs > 0) await sleep(step.delayMs);
    const { msg } = step;
    if (isObject(msg) && msg.$eof === true) {
      this.#program.closeInput();
      return undefined;
    }
    const line = isObject(msg) && typeof msg.$text === "string" ? msg.$text : undefined;
    if (line !== undefined) {
      this.#program.writeLine(String(this.#live.fill(line).value));
      return undefined;
    }
    await this.#program.until(() => this.#live.fill(msg).missing.length === 0, this.#timeoutMs);
    const { value, missing } = this.#live.fill(msg);
    if (missing.length > 0) return this.#gaveUp(`a value for ${missing.join(", ")}`);
    this.#program.writeLine(JSON.stringify(value));
    return undefined;
  }

  async #awaitTurn({ after, outsBefore }: ClientStep): Promise<string | undefined> {
    if (after !== undefined) {
      const from = this.#cursor;
      const find = () =>
        this.#program.out.findIndex((msg, at) => at >= from && isAwaited(this.#filled(after), msg));
      if (!(await this.#program.until(() => find() >= 0, this.#timeoutMs))) {
        return this.#gaveUp(describeAwaited(after));
      }
      this.#cursor = find() + 1;
    }
    await this.#program.until(() => this.#hasSeen(outsBefore), CATCH_UP_MS);
    return undefined;
  }

  #filled(after: Awaited): Awaited {
    return this.#live.fill(after as Json).value as Awaited;
  }

  /** Waits for all the trace still has, as long as anything comes. */
  async #awaitRest(): Promise<void> {
    const deadline = Date.now() + this.#timeoutMs;
    // A trace that is known to be slow is quiet for long.
    const quiet = this.#trace.timeoutMs ?? Math.min(QUIET_MS, this.#timeoutMs);
    const all = () => this.#hasSeen(this.#trace.out.length);
    while (!all() && !this.#program.exited && Date.now() < deadline) {
      const before = this.#program.out.length;
      await this.#program.until(() => all() || this.#program.out.length > before, quiet);
      if (this.#program.out.length === before) break;
    }
    await this.#program.until(() => this.#program.exited, GRACE_MS);
  }

  /** Returns true if as many lines of each kind have arrived as the trace has up to a line. */
  #hasSeen(count: number): boolean {
    const open = new Map<string, number>();
    for (const { msg } of this.#trace.out.slice(0, count)) {
      if (!isOutputDelta(msg)) open.set(kindOf(msg), (open.get(kindOf(msg)) ?? 0) + 1);
    }
    for (const msg of this.#program.out) {
      const kind = kindOf(msg);
      const left = (open.get(kind) ?? 0) - 1;
      if (left > 0) open.set(kind, left);
      else open.delete(kind);
    }
    return open.size === 0;
  }

  #gaveUp(awaited: string): string {
    const { out, exited, exitCode, stderr } = this.#program;
    const last = out.length > 0 ? `last line ${show(out.at(-1))}` : "no line at all";
    const state = exited ? `it had ended with exit code ${exitCode}` : "it was still running";
    const output =
      stderr.trim() === "" ? "" : `; stderr: ${stderr.trim().split("\n").slice(-3).join(" | ")}`;
    return `waited for ${awaited}, got ${out.length} lines (${last}); ${state}${output}`;
  }
}
