import { CodexError } from "../../protocol/error.js";
import type { Goal, ThreadGoalStatus } from "../../protocol/types.js";
import type { ThreadWork } from "../../rollout/index.js";
import type { Session } from "../session.js";
import { changeGoal, type GoalChange, limited } from "./goal-change.js";
import { budgetMessage } from "./goal-texts.js";

/**
 * The goal of a thread, and the tokens and time that it uses.
 *
 * Every change is an event in the log. Tokens are those of responses that ended while the goal was
 * active or limited, without cached input; time is that of turns.
 */
export class Goals {
  readonly #session: Session;
  readonly #work: ThreadWork;
  /** Tokens of the session that have been counted or do not belong to the goal. */
  #countedTokens: number;
  /** Time up to which the running turn has been counted. */
  #countedUntil: number;
  #uncountedMs = 0;

  constructor(session: Session, work: ThreadWork) {
    this.#session = session;
    this.#work = work;
    this.#countedTokens = session.tokens.spent;
    this.#countedUntil = session.parts.clock.now();
  }

  get current(): Goal | undefined {
    return this.#work.goal;
  }

  /** True if turns start without input of the user. */
  get isActive(): boolean {
    return this.current?.status === "active";
  }

  /** Called when a turn starts: the time before it does not count. */
  beginTurn(): void {
    this.#countedUntil = this.#session.parts.clock.now();
    this.#countedTokens = this.#session.tokens.spent;
  }

  /** Changes the goal for a client; the event has the id of its submission. */
  set(change: GoalChange, submissionId: string): void {
    this.#assertRecorded();
    this.#changed(change); // refuses it before anything is counted
    this.count();
    const goal = this.#changed(change);
    this.#start(goal);
    this.#emit(goal, submissionId, null);
  }

  /** Creates a goal for the model; the tokens that count begin at `spent`. */
  create(change: GoalChange, spent: number): Goal {
    this.#assertRecorded();
    const before = this.current;
    const isFinished = before === undefined || before.status === "complete";
    const goal = changeGoal(isFinished ? undefined : before, change, this.#place);
    if (!isFinished) throw new CodexError("invalid_request", unfinished);
    this.#start(goal);
    this.#countedTokens = spent;
    this.#emit(goal);
    return goal;
  }

  /** Changes the status for the model; undefined without a goal. */
  update(status: ThreadGoalStatus, spent: number): Goal | undefined {
    if (this.current === undefined) return undefined;
    this.count({ spent });
    const goal = { ...this.current, status, updatedAt: this.#seconds };
    this.#emit(goal);
    return goal;
  }

  clear(submissionId: string): void {
    const { id } = this.#session;
    this.#work.apply({ type: "thread_goal_cleared", threadId: id });
    this.#session.emit(submissionId, { type: "thread_goal_cleared", threadId: id });
  }

  /** Ends the pursuit of an active goal: its turn failed. */
  fail(status: "blocked" | "usageLimited" | "budgetLimited"): void {
    if (this.current?.status !== "active") return;
    const goal = this.#counted(this.#session.tokens.spent) ?? this.current;
    this.#emit({ ...goal, status, updatedAt: this.#seconds });
  }

  /**
   * Counts the tokens and the time since the last count.
   *
   * A goal whose budget is used up is limited; unless the turn is at its end, the model is informed.
   */
  count({ spent = this.#session.tokens.spent, isLast = false } = {}): void {
    const before = this.current;
    const goal = this.#counted(spent);
    if (before === undefined || goal === undefined) return;
    const isSame = goal.tokensUsed === before.tokensUsed;
    if (isSame && !(isLast && goal.timeUsedSeconds !== before.timeUsedSeconds)) {
      this.#work.goal = goal; // its time is part of the next event
      return;
    }
    this.#emit({ ...goal, updatedAt: this.#seconds });
    const isOver = goal.status === "budgetLimited" && before.status === "active";
    if (isOver && !isLast) this.#session.pending.addItem(budgetMessage(goal));
  }

  #counted(spent: number): Goal | undefined {
    const { clock } = this.#session.parts;
    const tokens = Math.max(0, spent - this.#countedTokens);
    this.#countedTokens = Math.max(spent, this.#countedTokens);
    const now = clock.now();
    const ms = this.#session.task === undefined ? 0 : Math.max(0, now - this.#countedUntil);
    this.#countedUntil = now;
    const goal = this.current;
    if (goal?.status !== "active" && goal?.status !== "budgetLimited") return undefined;
    this.#uncountedMs += ms;
    const seconds = Math.floor(this.#uncountedMs / 1000);
    this.#uncountedMs -= seconds * 1000;
    return limited({
      ...goal,
      tokensUsed: goal.tokensUsed + tokens,
      timeUsedSeconds: goal.timeUsedSeconds + seconds,
    });
  }

  /** Resets the clock for another goal. */
  #start({ createdAt }: Goal): void {
    if (this.current?.createdAt !== createdAt) this.#uncountedMs = 0;
  }

  #changed(change: GoalChange): Goal {
    return changeGoal(this.current, change, this.#place);
  }

  get #place(): { threadId: string; now: number } {
    return { threadId: this.#session.id, now: this.#session.parts.clock.now() };
  }

  get #seconds(): number {
    return Math.floor(this.#session.parts.clock.now() / 1000);
  }

  #assertRecorded(): void {
    const { id, parts } = this.#session;
    if (parts.log.path !== undefined) return;
    throw new CodexError("invalid_request", `ephemeral thread does not support goals: ${id}`);
  }

  #emit(goal: Goal, id?: string, turn: string | null = this.#session.task?.turnId ?? null): void {
    const session = this.#session;
    const turnId = turn === null ? {} : { turnId: turn };
    const msg = { type: "thread_goal_updated" as const, threadId: session.id, ...turnId, goal };
    this.#work.apply(msg);
    session.emit(id ?? session.task?.id ?? "", msg);
  }
}

const unfinished =
  "cannot create a new goal because this thread has an unfinished goal; complete the existing goal first";
