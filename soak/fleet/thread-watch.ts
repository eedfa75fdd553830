import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type At, type Broker, type LogBatch, seqStep } from "../../src/fleet/index.js";
import { createDeferred } from "../../src/lib/async.js";
import { OpenItems } from "../../src/protocol/lost-items.js";
import type { EventMsg } from "../../src/protocol/types.js";

/** Follows the log of a thread as a gateway does, and checks it at the end. */
export class ThreadWatch {
  readonly threadId: string;
  /** Turns that were submitted. */
  readonly submitted: string[] = [];
  readonly #batches: { atMs: number; batch: At<LogBatch> }[] = [];
  readonly #stop = new AbortController();
  readonly #waiting = new Set<() => void>();
  #open: string | undefined;
  #lastSeq = 0;

  constructor(broker: Broker, threadId: string) {
    this.threadId = threadId;
    void this.#follow(broker);
  }

  async #follow(broker: Broker): Promise<void> {
    for await (const batch of broker.log.follow(this.threadId, 0, this.#stop.signal)) {
      this.#batches.push({ atMs: performance.now(), batch });
      for (const entry of batch.entries) {
        if (!("event" in entry)) continue;
        const { id, msg } = entry.event;
        this.#lastSeq = entry.seq;
        if (msg.type === "task_started") this.#open = id;
        if (isEnd(msg)) this.#open = undefined;
      }
      for (const wake of [...this.#waiting]) wake();
    }
  }

  /** Worker and epoch of a turn that runs; undefined if none does. */
  get running(): { worker: string; epoch: number } | undefined {
    const last = this.#batches.at(-1)?.batch;
    return this.#open === undefined || last === undefined ? undefined : last;
  }

  /** Resolves with the time at which an owner after this epoch has written something; undefined if it takes too long. */
  async newOwner(epoch: number, limitMs: number): Promise<number | undefined> {
    const find = () =>
      this.#batches.find(({ batch }) => batch.epoch > epoch && batch.entries.length > 0)?.atMs;
    await this.#until(() => find() !== undefined, limitMs);
    return find();
  }

  /** Waits until it has read the event that a client was notified of with this number. */
  async reaches(seq: number, limitMs: number): Promise<void> {
    await this.#until(() => this.#lastSeq + seqStep > seq, limitMs);
  }

  async #until(isMet: () => boolean, limitMs: number): Promise<boolean> {
    const endMs = performance.now() + limitMs;
    while (!isMet() && performance.now() < endMs) {
      const changed = createDeferred<void>();
      this.#waiting.add(changed.resolve);
      const timer = setTimeout(changed.resolve, 250);
      await changed.promise;
      clearTimeout(timer);
      this.#waiting.delete(changed.resolve);
    }
    return isMet();
  }

  end(): void {
    this.#stop.abort();
  }

  /** The batches of the log as JSON lines, with the times at which they came. */
  get text(): string {
    return this.#batches.map((batch) => `${JSON.stringify(batch)}\n`).join("");
  }

  get #cwd(): string {
    for (const { batch } of this.#batches) {
      for (const entry of batch.entries) {
        if ("line" in entry && entry.line.type === "session_meta") return entry.line.payload.cwd;
      }
    }
    return "";
  }

  get commands(): number {
    return this.#messages.filter(isCompletedCommand).length;
  }

  get #messages(): EventMsg[] {
    return this.#batches.flatMap(({ batch: { entries } }) =>
      entries.flatMap((entry) => ("event" in entry ? [entry.event.msg] : [])),
    );
  }

  /** Returns what is wrong with the thread; its folder has the counters of its commands. */
  problems(): string[] {
    return [...this.#orderProblems(), ...this.#turnProblems(), ...this.#runProblems()];
  }

  *#orderProblems(): Generator<string> {
    let [epoch, seq] = [0, 0];
    for (const { batch } of this.#batches) {
      if (batch.epoch < epoch) yield `epoch ${batch.epoch} follows ${epoch}`;
      epoch = batch.epoch;
      for (const entry of batch.entries) {
        if (!("seq" in entry)) continue;
        if (entry.seq <= seq) yield `number ${entry.seq} follows ${seq}`;
        seq = entry.seq;
      }
    }
  }

  *#turnProblems(): Generator<string> {
    const started = new Map<string, number>();
    const ended = new Map<string, number>();
    const open = new OpenItems();
    for (const { batch } of this.#batches) {
      for (const entry of batch.entries) {
        if (!("event" in entry)) continue;
        const { id, msg } = entry.event;
        open.read(msg);
        const counts = msg.type === "task_started" ? started : isEnd(msg) ? ended : undefined;
        counts?.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    for (const id of this.submitted) {
      if (started.get(id) !== 1) yield `turn ${id} has started ${started.get(id) ?? 0} times`;
      if (ended.get(id) !== 1) yield `turn ${id} has ended ${ended.get(id) ?? 0} times`;
    }
    for (const { type } of open.all) yield `${type} has no end`;
  }

  *#runProblems(): Generator<string> {
    const runs = new Map<string, number>();
    for (const id of readRuns(join(this.#cwd, "ran"))) {
      runs.set(id, (runs.get(id) ?? 0) + 1);
    }
    for (const [id, times] of runs) if (times > 1) yield `command ${id} ran ${times} times`;
    for (const msg of this.#messages) {
      if (!isCompletedCommand(msg)) continue;
      if (!runs.has(msg.call_id)) yield `command ${msg.call_id} is reported and did not run`;
    }
  }
}

function readRuns(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

function isEnd({ type }: EventMsg): boolean {
  return type === "task_complete" || type === "turn_aborted";
}

function isCompletedCommand(msg: EventMsg): msg is Extract<EventMsg, { type: "exec_command_end" }> {
  return msg.type === "exec_command_end" && msg.exit_code === 0;
}
