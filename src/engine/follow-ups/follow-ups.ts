import { CodexError } from "../../protocol/error.js";
import type { QueuedInput } from "../../protocol/types.js";
import { ThreadWork } from "../../rollout/index.js";
import type { GoalAccess } from "../../tools/index.js";
import type { FollowUpWork } from "../current-task.js";
import { goalTask, regularTask } from "../loop.js";
import type { Session } from "../session.js";
import { startTask } from "../task.js";
import { goalAccess } from "./goal-access.js";
import { continuationMessage } from "./goal-texts.js";
import { Goals } from "./goals.js";
import { InputQueue } from "./queue.js";

/**
 * Decides what follows a finished turn: the queue of the user's input, then an active goal.
 *
 * Input that the user sends directly comes before both. After an interrupt nothing follows until
 * the user or a resume continues the thread.
 */
export class FollowUps implements FollowUpWork {
  readonly goals: Goals;
  readonly queue: InputQueue;
  readonly #session: Session;
  #holdsGoal = false;

  constructor(session: Session, work: ThreadWork) {
    this.#session = session;
    this.goals = new Goals(session, work);
    this.queue = new InputQueue(session, work);
  }

  onStart(): void {
    this.goals.beginTurn();
  }

  onCall(toolName: string): void {
    if (!goalTools.has(toolName)) this.goals.count();
  }

  onFailure(status: "blocked" | "usageLimited" | "budgetLimited"): void {
    this.goals.fail(status);
  }

  onEnd(): void {
    this.goals.count({ isLast: true });
  }

  /** Lets no goal start a turn any more: no client is there. */
  holdGoal(): void {
    this.#holdsGoal = true;
  }

  goalAccess(spent: number): GoalAccess {
    return goalAccess(this.goals, spent);
  }

  startNext(): void {
    if (this.#session.task !== undefined) return;
    if (!this.queue.isEmpty) this.startQueued(this.queue.find())();
    else this.#continueGoal();
  }

  /** Takes input from the queue; the returned function starts its turn. */
  startQueued(input: QueuedInput, turnId = this.#session.parts.newId()): () => void {
    this.queue.take(input, turnId);
    this.#session.nameInput(input.items, input.client_id);
    return () => {
      startTask(this.#session, turnId, regularTask(input.items, { trigger: "queue" }));
    };
  }

  /** Throws if a turn is running. */
  assertIdle(): void {
    if (this.#session.task === undefined) return;
    throw new CodexError("invalid_request", "thread already has an active or pending turn");
  }

  #continueGoal(): void {
    const { current: goal } = this.goals;
    const { context, parts } = this.#session;
    const isPlanning = context.collaboration_mode?.mode === "plan";
    const isDisabled = this.#session.config.features.get("goals") === false;
    if (goal?.status !== "active" || isPlanning || isDisabled || this.#holdsGoal) return;
    startTask(this.#session, parts.newId(), goalTask(continuationMessage(goal)));
  }
}

/** These count the tokens themselves. */
const goalTools: ReadonlySet<string> = new Set(["get_goal", "create_goal", "update_goal"]);

/** Returns the follow-ups of a session; creates them on first use. */
export function followUpsOf(session: Session): FollowUps {
  if (session.followUps === undefined) {
    const created = new FollowUps(session, new ThreadWork());
    session.followUps = created;
    return created;
  }
  return session.followUps as FollowUps;
}

/**
 * Takes over the goal and the queue of a recorded conversation.
 *
 * A copy has the goal, paused, and not the queue: the input was sent to the other thread.
 */
export function restoreFollowUps(session: Session, work: ThreadWork, isCopy: boolean): void {
  const followUps = new FollowUps(session, work);
  session.followUps = followUps;
  session.events.onceAnnounced(() => {
    followUps.queue.returnUnstarted();
    if (!isCopy) return;
    followUps.queue.clear();
    if (followUps.goals.isActive) followUps.goals.set({ status: "paused" }, "");
  });
}
