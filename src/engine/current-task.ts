import type { TurnFiles } from "../checkpoint/index.js";
import type { Clock } from "../lib/clock.js";
import { joinSignals } from "../lib/join-signals.js";
import type {
  EventMsg,
  InputItem,
  ResponseItem,
  TaskCompleteEvent,
  TurnAbortReason,
} from "../protocol/types.js";
import type { GoalAccess } from "../tools/index.js";

/** The running task as its session sees it. */
export interface RunningTask {
  /** Id of the submission that started it. */
  readonly id: string;
  readonly turnId: string;
  readonly signal: AbortSignal;
  /** Resolves when nothing of the task runs anymore, also after an abort. */
  readonly settled: Promise<void>;
  /** Reason reported if the user interrupts it. */
  readonly interruptReason: TurnAbortReason;
  /** Id of a response that is complete while its calls are still running. */
  readonly openResponseId: string | undefined;
  /** Error that ends it. */
  readonly failure: TaskCompleteEvent["error"];
  /** True while a tool call or a command of the user runs. */
  readonly isCalling: boolean;
  /** Runs a tool call or a command of the user. */
  countCall<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Returns the files of the turn, which are stored before they change; undefined if they are not. */
  files(): Promise<Pick<TurnFiles, "beforeCommand"> | undefined>;
  emit(msg: EventMsg, itemId?: string): void;
  abort(reason: TurnAbortReason): void;
}

/** The goal and the queue of a session, as its tasks see them. */
export interface FollowUpWork {
  /** A task has started. */
  onStart(): void;
  /** A tool call of the task has ended. */
  onCall(toolName: string): void;
  /** The task fails; its error follows. */
  onFailure(status: "blocked" | "usageLimited" | "budgetLimited"): void;
  /** The task is about to end. */
  onEnd(): void;
  /** Starts the task that follows, if none is running. */
  startNext(): void;
  /** Lets no goal start a task any more. */
  holdGoal(): void;
  /** Access of a tool call to the goal; `spent` are the tokens of the session when it started. */
  goalAccess(spent: number): GoalAccess;
}

/** Input that starts a task when those before it have ended. */
interface QueuedInput {
  id: string;
  start(): void;
}

/** The running task of a session, at most one at a time, and the input queued behind it. */
export class CurrentTask {
  #running: RunningTask | undefined;
  #whenIdle: (() => void) | undefined;
  #queued: QueuedInput[] = [];

  get running(): RunningTask | undefined {
    return this.#running;
  }

  /** Called when a task starts; the previous one has ended. */
  begin(task: RunningTask): void {
    this.#running = task;
  }

  /** Called by a task when it has ended. */
  end(): void {
    this.#running = undefined;
    const action = this.#whenIdle;
    this.#whenIdle = undefined;
    action?.();
  }

  /** Starts a task after the running one and everything queued before. */
  queue(input: QueuedInput): void {
    this.#queued.push(input);
  }

  /** Starts the next queued task if none is running. */
  startNext(): void {
    if (this.#running === undefined) this.#queued.shift()?.start();
  }

  /** Removes and returns the queue. */
  takeQueued(): QueuedInput[] {
    return this.#queued.splice(0);
  }

  /** Runs `action` as soon as no task is running; a later action replaces a pending one. */
  whenIdle(action: () => void): void {
    if (this.#running === undefined) action();
    else this.#whenIdle = action;
  }

  /** Aborts the running task, if any: its tools stop and it emits nothing more. */
  abort(reason: TurnAbortReason): void {
    this.#running?.abort(reason);
  }

  /** Aborts the running task, drops the queue, and resolves when nothing is running. */
  async close(): Promise<void> {
    this.#whenIdle = undefined;
    this.#queued = [];
    const task = this.#running;
    this.abort("interrupted");
    await task?.settled;
  }
}

interface ReceivedInput {
  items: InputItem[];
  from: "user" | "tool";
  /** Submission that it is from, if the user sent it. */
  submissionId?: string | undefined;
}

/** Input received while a task is running, for its next step, and messages of other agents. */
export class PendingInput {
  #inputs: ReceivedInput[] = [];
  #items: ResponseItem[] = [];
  #mail: ResponseItem[] = [];
  #onArrival = new Set<() => void>();

  /** True if nothing is left that requires another step. */
  get isEmpty(): boolean {
    return this.#inputs.length === 0 && this.#mail.length === 0;
  }

  get hasMail(): boolean {
    return this.#mail.length > 0;
  }

  /** Adds input of the user, or of a tool that shows something to the model. */
  add(items: InputItem[], from: ReceivedInput["from"] = "user", submissionId?: string): void {
    this.#inputs.push({ items, from, submissionId });
    if (from === "user") this.#announce();
  }

  /** Adds a message of another agent. It is part of the second step of a turn or a later one. */
  addMail(item: ResponseItem): void {
    this.#mail.push(item);
    this.#announce();
  }

  /** Removes and returns the messages of other agents. */
  takeMail(): ResponseItem[] {
    return this.#mail.splice(0);
  }

  /** Resolves to true when input of the user or a message is there, and to false when the time is over. */
  async arrival(clock: Clock, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.hasMail || this.#inputs.some(({ from }) => from === "user")) return true;
    const over = joinSignals(signal);
    let onArrival = () => {};
    const arrived = new Promise<true>((resolve) => {
      onArrival = () => resolve(true);
      this.#onArrival.add(onArrival);
    });
    const elapsed = clock.sleep(timeoutMs, over.signal).then(() => false);
    elapsed.catch(() => {});
    try {
      return await Promise.race([arrived, elapsed]);
    } finally {
      this.#onArrival.delete(onArrival);
      over.end(new Error("over"));
    }
  }

  #announce(): void {
    for (const notify of [...this.#onArrival]) notify();
  }

  /** Adds an item for the next step that does not cause one. */
  addItem(item: ResponseItem): void {
    this.#items.push(item);
  }

  /** Removes and returns the items added by `addItem`. */
  takeItems(): ResponseItem[] {
    return this.#items.splice(0);
  }

  /** Removes and returns the inputs; each one becomes a separate message. */
  take(): ReceivedInput[] {
    return this.#inputs.splice(0);
  }
}
