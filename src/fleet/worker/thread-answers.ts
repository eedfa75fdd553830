import type { Event, Op } from "../../protocol/types.js";
import type { Answer } from "../broker.js";
import { questionOf } from "../questions.js";
import type { ThreadView } from "./thread-view.js";

/** Access to the engine that asks. */
interface AskingThread {
  view: ThreadView;
  publish(event: Event): void;
  submit(id: string, op: Op): void;
}

/** Passes the answers of clients to the engine of a thread; the first answer to a question counts. */
export class ThreadAnswers {
  readonly #thread: AskingThread;
  /** Answers to the turn that a lost worker got, which had no effect if the question is put again. */
  readonly #earlier: ReadonlyMap<string, readonly Op[]>;
  /** Number of times that a question was put here, by key. */
  readonly #asked = new Map<string, number>();
  /** Answers that came, by the key with its number. */
  readonly #answers = new Map<string, Answer>();
  /** Questions that are open, by the key with its number, and their keys. */
  readonly #open = new Map<string, string>();
  #count = 0;

  constructor(thread: AskingThread) {
    this.#thread = thread;
    this.#earlier = new Map(thread.view.turn?.answers ?? []);
  }

  /** Publishes an event of the engine; a question that was answered before is not put again. */
  publish(event: Event): void {
    const key = questionOf(event.msg);
    if (key === undefined) this.#publishOther(event);
    else this.#ask(key, event);
  }

  #ask(key: string, event: Event): void {
    const asked = this.#asked.get(key) ?? 0;
    this.#asked.set(key, asked + 1);
    const earlier = this.#earlier.get(key)?.[asked];
    if (earlier !== undefined) {
      this.#submit(earlier);
      return;
    }
    this.#thread.publish(event);
    const numbered = this.#thread.view.numbers.next(key);
    this.#open.set(numbered, key);
    const answer = this.#answers.get(numbered);
    if (answer !== undefined) this.#apply(answer);
  }

  /** Takes an answer; it waits if its question has not been put yet. */
  onAnswer(answer: Answer): void {
    if (this.#answers.has(answer.question)) return;
    this.#answers.set(answer.question, answer);
    if (this.#open.has(answer.question)) this.#apply(answer);
  }

  #publishOther(event: Event): void {
    const { view, publish } = this.#thread;
    const isEnd = event.msg.type === "task_complete" || event.msg.type === "turn_aborted";
    const closed = isEnd ? [...view.questions].map((key) => view.numbers.next(key)) : [];
    publish(event);
    if (view.questions.size > 0) return; // another turn has ended
    // A late answer must not count for a question with the same key in another turn.
    for (const key of closed) {
      publish({ id: "", msg: { type: "question_answered", key, op: { type: "interrupt" } } });
    }
  }

  #apply({ question, op, client, gateway, answeredAtMs }: Answer): void {
    const key = this.#open.get(question) ?? question;
    this.#open.delete(question);
    // The turn may have ended.
    if (!this.#thread.view.questions.has(key)) return;
    const msg = { key: question, op, client, gateway, answered_at_ms: answeredAtMs };
    this.#thread.publish({ id: "", msg: { type: "question_answered", ...msg } });
    this.#submit(op);
  }

  #submit(op: Op): void {
    this.#thread.submit(`fleet-answer-${++this.#count}`, op);
  }
}
