import { createQueues, type EngineParts, runCodex } from "../../../src/engine/index.js";
import { type Broker, type LogEntry, seqStep } from "../../../src/fleet/broker.js";
import type { Event, RolloutItem, RolloutLine } from "../../../src/protocol/types.js";

/**
 * Runs the threads of a broker in this process, without leases: gateways need no more of a worker.
 *
 * Resolves when the signal aborts and all engines have ended.
 */
export async function runSimpleWorker(
  broker: Broker,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<string, Promise<void>>();
  for (;;) {
    const wake = await broker.wakes.next("main", signal);
    if (wake === undefined) break;
    const { threadId } = wake;
    if (!running.has(threadId)) running.set(threadId, runThread(broker, threadId, parts, signal));
    await wake.done();
  }
  await Promise.all(running.values());
}

async function runThread(
  broker: Broker,
  threadId: string,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const queues = createQueues();
  const log = new SimpleLog(broker, threadId);
  const append = (item: RolloutItem) => log.append(item);
  const sessionLog = { path: undefined, append, close: async () => {} };
  const running = runCodex(
    { ...queues, submissions: queues.submissions, publish: (event) => log.publish(event) },
    {
      ...parts,
      threadId,
      openLog: (meta) => {
        log.append({ type: "session_meta", payload: meta });
        return sessionLog;
      },
    },
  );
  void broker.answers.follow(
    threadId,
    ({ question, op, client, gateway, answeredAtMs: answered_at_ms }) => {
      const msg = { key: question, op, client, gateway, answered_at_ms };
      log.publish({ id: "", msg: { type: "question_answered", ...msg } });
      queues.submissions.push({ id: `answer-${question}`, op });
    },
    signal,
  );
  for await (const { id, op } of broker.submissions.follow(threadId, 0, signal)) {
    queues.submissions.push({ id, op });
  }
  queues.submissions.push({ id: "", op: { type: "shutdown" } });
  await running;
}

class SimpleLog {
  readonly #broker: Broker;
  readonly #threadId: string;
  readonly #head: RolloutLine[] = [];
  #entries: LogEntry[] = [];
  #isSending = false;
  #position = 0;
  #seq = 0;
  #state: "running" | "waiting" | "idle" = "idle";

  constructor(broker: Broker, threadId: string) {
    this.#broker = broker;
    this.#threadId = threadId;
  }

  append(item: RolloutItem): void {
    const line = { timestamp: new Date().toISOString(), ...item } as RolloutLine;
    if (this.#head.length < 20) this.#head.push(line);
    this.#push({ line });
  }

  publish(event: Event): void {
    const { type } = event.msg;
    if (type.endsWith("_delta")) {
      this.#broker.live.publish(this.#threadId, event);
      return;
    }
    if (type === "task_started" || type === "question_answered") this.#state = "running";
    if (type === "exec_approval_request") this.#state = "waiting";
    if (type === "task_complete" || type === "turn_aborted") this.#state = "idle";
    this.#seq += seqStep;
    this.#push({ seq: this.#seq, event, atMs: Date.now() });
  }

  #push(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    while (this.#entries.length > 0) {
      const entries = this.#entries;
      this.#entries = [];
      const batch = { epoch: 1, worker: "simple", applied: [], entries };
      this.#position = await this.#broker.log.append(this.#threadId, batch, this.#position);
      await this.#describe(this.#lastTime(entries));
    }
    this.#isSending = false;
  }

  #lastTime(entries: readonly LogEntry[]): number {
    const last = entries.findLast((entry) => "line" in entry);
    return last !== undefined && "line" in last ? Date.parse(last.line.timestamp) : Date.now();
  }

  async #describe(updatedAtMs: number): Promise<void> {
    await this.#broker.directory.put({
      threadId: this.#threadId,
      pool: "main",
      head: this.#head,
      createdAtMs: updatedAtMs,
      updatedAtMs,
      state: this.#state,
      worker: "simple",
      epoch: 1,
    });
  }
}
