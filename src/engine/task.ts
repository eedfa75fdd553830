import { setMaxListeners } from "node:events";
import { errorText } from "../lib/errors.js";
import { isUuid } from "../lib/ids.js";
import { TurnDiff } from "../patch/index.js";
import type {
  EventMsg,
  ResponseItem,
  TaskCompleteEvent,
  TurnAbortReason,
  TurnItem,
} from "../protocol/types.js";
import { type SideUsage, toSideUsageEvent } from "../rollout/index.js";
import type { HookDecision } from "../tools/index.js";
import type { ReviewedCall } from "./auto-review/action.js";
import type { RunningTask } from "./current-task.js";
import type { LostCommands } from "./lost-commands.js";
import { developerMessage, userMessage } from "./messages.js";
import { errorInfo, goalStatus, type TaskFailure } from "./model-errors.js";
import { PermissionGrants } from "./permissions.js";
import type { TurnFiles } from "./rewind/session-files.js";
import type { Session } from "./session.js";
import { agentGeneration } from "./turn-context.js";

/**
 * The engine at work on one turn: regular input, a review, a compaction or a user's shell command.
 *
 * Everything a task does to its session passes through here. After it has ended, by completion or
 * abort, it emits and records nothing more, though its tools may still be stopping.
 */
export class Task implements RunningTask {
  readonly session: Session;
  /** The id of the submission that started it; its events carry this id. */
  readonly id: string;
  readonly turnId: string;
  /** Turn of the user that a helper agent works for, and turn of the agent that gave the task. */
  rootTurnId: string | undefined;
  parentTurnId: string | undefined;
  /** Start time. */
  readonly startedAt: number;
  /** Resolves when nothing of the task runs any more, also after an abort. */
  settled: Promise<void> = Promise.resolve();
  /** Permissions granted for this turn. */
  readonly grants = new PermissionGrants();
  /** True if the automatic reviewer decides about every further command of this turn. */
  reviewsAll = false;
  /** Commands that an engine before it has left, if it continues a turn. */
  lostCommands: LostCommands | undefined;
  /** Reason reported if the user interrupts it. */
  interruptReason: TurnAbortReason = "interrupted";
  /** Origin of a turn that the user did not start directly. */
  trigger: TurnTrigger | undefined;
  /** Asks the automatic reviewer about an action; resolves with undefined if it does not decide. */
  reviewAction: ((call: ReviewedCall) => Promise<HookDecision | undefined>) | undefined;
  /** Called on abort, to emit what the work still owes; set by the work. */
  onAbort: (() => void) | undefined;
  /** Called on abort in the middle of a response. */
  onCutOff: (() => void) | undefined;
  /** The outputs, as far as there are any, of calls that an abort cuts short. */
  pendingOutputs: () => ResponseItem[] = () => [];
  /** The bookmark of its last response. */
  responseId: string | undefined;
  /** A response that is complete, while its calls still run. */
  openResponseId: string | undefined;
  /** The error that ends it; the log has it too. */
  failure: TaskCompleteEvent["error"];
  /** True if another engine has started the turn. */
  readonly #isContinued: boolean;
  readonly #cwd: string;
  #turnDiff: TurnDiff | undefined;
  #controller = new AbortController();
  #ended = false;
  #callsRunning = 0;
  #lastDiff: string | undefined;

  /** `continuedTurnId` is the turn that it continues, if another engine has started it. */
  constructor(session: Session, id: string, continuedTurnId?: string) {
    this.session = session;
    this.id = id;
    this.#isContinued = continuedTurnId !== undefined;
    this.startedAt = session.parts.clock.now();
    const { rootTurnId, parentTurnId } = session.parts.agent?.self.givenIn ?? {};
    this.rootTurnId = rootTurnId;
    this.parentTurnId = parentTurnId;
    this.#cwd = session.context.cwd;
    // A client that uses UUIDs as submission ids knows the turn id from the start.
    this.turnId = continuedTurnId ?? (isUuid(id) ? id : session.parts.newId());
    // As many calls listen to it as the model makes at once.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once its last event was emitted. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  emit(msg: EventMsg, itemId?: string, part?: number): void {
    if (!this.#ended) this.session.emit(this.id, msg, itemId, part);
  }

  /** Emits that an item of the turn has started or completed. */
  emitItem(type: "item_started" | "item_completed", item: TurnItem, place: ItemPlace = {}): void {
    const { threadId = this.session.id, turnId = this.turnId } = place;
    this.emit({ type, thread_id: threadId, turn_id: turnId, item }, item.id);
  }

  /** Logs a completed item that has no persisted event, for eras that replay turns from the log. */
  logItem(item: TurnItem): void {
    const { era, log } = this.session.parts;
    if (this.#ended || !era.engine.recordsCalls) return;
    const place = { thread_id: this.session.id, turn_id: this.turnId };
    log.append({ type: "event_msg", payload: { type: "item_completed", ...place, item } });
  }

  /** Logs the tokens of a side conversation, even after the end of the task: they are spent. */
  logSideUsage(used: SideUsage): void {
    this.session.parts.log.append({ type: "event_msg", payload: toSideUsageEvent(used) });
  }

  /** Emits an event of a process that the task has left running, even after the end of the task. */
  emitAfterEnd(msg: EventMsg, itemId: string): void {
    this.session.events.emitIn({ id: this.id, turn_id: this.turnId, item_id: itemId }, msg);
  }

  record(items: readonly ResponseItem[], when?: "with the next"): void {
    if (!this.#ended) this.session.record(items, when);
  }

  /** Remembers where a response ended, for clients that come back to it. */
  bookmark(responseId: string | undefined, outputs: readonly ResponseItem[]): void {
    this.openResponseId = undefined;
    if (this.#ended || responseId === undefined) return;
    this.responseId = responseId;
    this.session.history.bookmark(responseId, outputs);
    this.emit({ type: "step_complete", response_id: responseId });
  }

  /** Replaces the history, as compaction does. */
  replaceHistory(items: readonly ResponseItem[], summary: string): void {
    if (!this.#ended) this.session.replaceHistory(items, summary);
  }

  get isCalling(): boolean {
    return this.#callsRunning > 0;
  }

  /** Runs a tool call or a command of the user. */
  async countCall<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#callsRunning++;
    try {
      return await run();
    } finally {
      this.#callsRunning--;
    }
  }

  /** Changes made by its patches. */
  get turnDiff(): TurnDiff {
    const isRelative = this.session.parts.era.since["0.166"];
    const fallback = isRelative ? { fallbackRoot: this.#cwd } : {};
    this.#turnDiff ??= new TurnDiff({ binary: true, ...fallback });
    return this.#turnDiff;
  }

  /** Returns the files of the turn, which are stored before they change; undefined if they are not. */
  async files(): Promise<TurnFiles | undefined> {
    return (await this.session.useFiles())?.of(this);
  }

  /** Emits the diff of the files changed since the task started; the reference repeats a known one. */
  async emitTurnDiff(): Promise<void> {
    const diff = await this.#turnDiff?.unifiedDiff();
    const isKnown = diff === this.#lastDiff && this.session.parts.era.since.current;
    if (isKnown || diff === undefined) return;
    this.#lastDiff = diff;
    this.emit({ type: "turn_diff", unified_diff: diff });
  }

  /** Emits `task_started`; `turnId` is set for a review in a separate thread. */
  start(contextWindow: number | undefined = this.session.contextWindow, turnId?: string): void {
    if (this.#isContinued) return;
    const { context, parts } = this.session;
    const mode = context.collaboration_mode?.mode ?? "default";
    this.emit({
      type: "task_started",
      ...(turnId === undefined ? {} : { turn_id: turnId }),
      model_context_window: contextWindow ?? null,
      ...(parts.era.since["0.104"] && { collaboration_mode_kind: mode }),
      ...(this.rootTurnId === undefined ? {} : { root_turn_id: this.rootTurnId }),
    });
  }

  /** Emits the error that ends the task. */
  fail({ message, ...failure }: TaskFailure): void {
    this.session.followUps?.onFailure(goalStatus(failure));
    this.failure = { message, codex_error_info: errorInfo(failure) };
    this.emit({ type: "error", ...this.failure });
  }

  /** Ends the task at once with an error: its calls are cut short. */
  stop(failure: TaskFailure): void {
    if (this.#ended) return;
    this.#cutShort();
    this.fail(failure);
    this.#controller.abort(new TaskAborted("interrupted"));
    this.complete(undefined);
  }

  /** Ends the task with `task_complete`. */
  complete(lastAgentMessage: string | undefined): void {
    this.#end({
      type: "task_complete",
      last_agent_message: lastAgentMessage ?? null,
      ...bookmarkField(this.responseId),
    });
  }

  /** Aborts it; the model learns of an interrupt only if it is the user's. */
  abort(reason: TurnAbortReason, { isByUser = true }: { isByUser?: boolean } = {}): void {
    if (this.#ended) return;
    const addsMarkers = this.#cutShort();
    if (addsMarkers && isByUser && reason === "interrupted") {
      const { config, context, parts } = this.session;
      // Models of 2026 that know agents get messages of the engine from the developer.
      const isNew = agentGeneration(config, parts.era, context) === "v2";
      this.record([isNew ? developerMessage(abortedText) : userMessage(abortedText)]);
    }
    this.#controller.abort(new TaskAborted(reason));
    // Helper agents work for this turn; those of 0.166 continue unseen.
    if (this.session.parts.era.since.current) this.session.agents?.interruptAll();
    const last = this.responseId ?? this.session.history.newestResponseId;
    this.#end({ type: "turn_aborted", reason, ...bookmarkField(last) });
  }

  /** Records for the model which calls are cut short; true in eras that mark interrupts. */
  #cutShort(): boolean {
    this.session.dropPending();
    this.onAbort?.();
    this.onCutOff?.();
    const addsMarkers = this.session.parts.era.engine.contextForm !== "2025";
    const { items } = this.session.history;
    if (addsMarkers) this.record(this.pendingOutputs().filter((item) => !items.includes(item)));
    this.#bookmarkOpenResponse();
    return addsMarkers;
  }

  /** A response of which only the calls are cut short is one to continue from. */
  #bookmarkOpenResponse(): void {
    const { openResponseId: id } = this;
    if (id === undefined || !this.session.parts.era.engine.recordsTasks) return;
    this.responseId = id;
    this.session.history.bookmark(id, this.pendingOutputs());
  }

  #end(last: EventMsg): void {
    if (this.#ended) return;
    this.session.followUps?.onEnd();
    this.session.budget?.endTurn();
    this.emit(last);
    this.session.parts.queues.applied?.(this.id);
    this.#ended = true;
    this.session.settings.endTurn();
    this.session.current.end();
    this.session.record(this.session.pending.takeItems());
    this.session.current.startNext();
    // After an interrupt the user decides, and a replaced task is followed by its replacement.
    if (last.type === "task_complete") this.session.followUps?.startNext();
  }
}

/** Origin of a turn: the queue, or a goal. */
export type TurnTrigger = "queue" | "goal";

function bookmarkField(responseId: string | undefined): { response_id?: string } {
  return responseId === undefined ? {} : { response_id: responseId };
}

/** Thread and turn of an item outside the session's conversation. */
export interface ItemPlace {
  threadId?: string;
  turnId?: string;
}

/** The reason with which the signal of an aborted task is aborted. */
class TaskAborted extends Error {
  constructor(reason: TurnAbortReason) {
    super(`The task was aborted: ${reason}`);
    this.name = "TaskAborted";
  }
}

/** The work of a task; it ends by `task.complete`, and throws only when the task is aborted. */
export type TaskWork = (task: Task) => Promise<void>;

/** Starts a task; one that runs is replaced. */
export function startTask(session: Session, id: string, work: TaskWork): Task {
  session.abortTask("replaced");
  session.settings.takeRights();
  const { continued } = session;
  if (continued?.id !== id) session.settings.describeResumed();
  if (continued?.id === id) session.continued = undefined;
  const task = new Task(session, id, continued?.id === id ? continued.turnId : undefined);
  session.current.begin(task);
  session.followUps?.onStart();
  session.budget?.beginTurn(task);
  task.settled = work(task).catch((error: unknown) => {
    if (task.signal.aborted) return;
    // A bug in the engine must not take the session with it.
    task.failure = { message: `Internal error: ${errorText(error)}` };
    task.emit({ type: "error", ...task.failure });
    task.complete(undefined);
  });
  // What an interrupt has cut short has changed files too.
  task.settled = task.settled.then(() => session.files?.finish(task));
  return task;
}

const abortedText =
  "<turn_aborted>\nThe user stopped the last turn on purpose. Commands that ran were ended; they may have done a part of their work.\n</turn_aborted>";
