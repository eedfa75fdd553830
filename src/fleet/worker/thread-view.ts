import { OpenItems } from "../../protocol/lost-items.js";
import type { Event, EventMsg, Op, RolloutLine, TurnContextItem } from "../../protocol/types.js";
import type { At, LogBatch } from "../broker.js";
import { QuestionNumbers, questionOf, withoutNumber } from "../questions.js";

/** A turn that has started and not ended. */
export interface OpenTurn {
  submissionId: string;
  turnId: string;
  /** Its events so far. */
  events: EventMsg[];
  /** Answers to questions, by the key of the question without its number. */
  answers: Map<string, Op[]>;
}

/** State of a thread as its log describes it: of one that is loaded, and of one that is running. */
export class ThreadView {
  /** Position of the last batch in the log. */
  position = 0;
  /** Highest epoch in the log. */
  epoch = 0;
  /** Number of the last event. */
  seq = 0;
  readonly applied = new Set<number>();
  turn: OpenTurn | undefined;
  /** Things that run, in the turn or behind it. */
  readonly open = new OpenItems();
  readonly numbers = new QuestionNumbers();
  /** Questions that wait for an answer, by key. */
  readonly questions = new Set<string>();
  isConfigured = false;
  /** The last error, which is the reason if the thread is not configured. */
  lastError: string | undefined;
  settings: TurnContextItem | undefined;
  name: string | undefined;
  tokens: number | undefined;
  /** Lines up to the first message of the user. */
  readonly head: RolloutLine[] = [];
  hasUserMessage = false;
  #keepsEvents = true;
  updatedAtMs = 0;
  /** Position of the last submission that is done, with all before it. */
  readTo: number | undefined;

  /** Reads a batch of the log; lines are passed on. */
  readBatch(batch: At<LogBatch>, onLine: (line: RolloutLine) => void): void {
    this.position = batch.position;
    this.epoch = Math.max(this.epoch, batch.epoch);
    for (const position of batch.applied) this.applied.add(position);
    for (const entry of batch.entries) {
      if ("line" in entry) {
        this.readLine(entry.line);
        onLine(entry.line);
      } else {
        this.seq = entry.seq;
        this.readEvent(entry.event);
      }
    }
  }

  readLine(line: RolloutLine): void {
    this.updatedAtMs = Date.parse(line.timestamp);
    if (line.type === "turn_context") this.settings = line.payload;
    if (this.hasUserMessage) return;
    this.head.push(line);
    const isMessage = line.type === "event_msg" && line.payload.type === "user_message";
    this.hasUserMessage = isMessage;
  }

  readEvent({ id, msg, turn_id }: Event): void {
    this.open.read(msg);
    this.numbers.read(msg);
    const question = questionOf(msg);
    if (question !== undefined) this.questions.add(question);
    if (this.#keepsEvents) this.turn?.events.push(msg);
    switch (msg.type) {
      case "session_configured":
        this.isConfigured = true;
        return;
      case "task_started":
        this.turn = {
          submissionId: id,
          turnId: turn_id ?? msg.turn_id ?? id,
          events: [msg],
          answers: new Map(),
        };
        return;
      case "task_complete":
      case "turn_aborted":
        if (this.turn?.submissionId !== id) return;
        this.turn = undefined;
        this.questions.clear();
        return;
      case "question_answered":
        this.#readAnswer(withoutNumber(msg.key), msg.op as Op);
        return;
      case "error":
        this.lastError = msg.message;
        return;
      case "thread_name_updated":
        this.name = msg.thread_name ?? undefined;
        return;
      case "token_count":
        this.tokens = msg.info?.total_token_usage.total_tokens ?? this.tokens;
    }
  }

  /** Stores no events of turns from now on: only a worker that loads the thread needs them. */
  forgetEvents(): void {
    this.#keepsEvents = false;
    if (this.turn !== undefined) this.turn.events = [];
  }

  #readAnswer(key: string, op: Op): void {
    this.questions.delete(key);
    if (this.turn === undefined) return;
    const answers = this.turn.answers.get(key) ?? [];
    this.turn.answers.set(key, [...answers, op]);
  }

  /** True while something runs whose outcome would be unknown if the worker were lost. */
  get isRunning(): boolean {
    return this.open.running.some((callId) => !this.questions.has(callId));
  }

  get state(): "running" | "waiting" | "idle" {
    if (this.turn === undefined) return "idle";
    return this.questions.size > 0 ? "waiting" : "running";
  }
}
