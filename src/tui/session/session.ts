import type {
  AppServerClient,
  ClientMethod,
  ParamsOf,
  ResultOf,
  ServerNotification,
} from "../../client/index.js";
import type { Clock } from "../../lib/clock.js";
import { errorText } from "../../lib/errors.js";
import type { ThreadStartParams } from "../../protocol/rpc/v2/thread-start.js";
import type { TurnStartParams } from "../../protocol/rpc/v2/turn.js";
import { type Draft, toInput } from "../composer/draft.js";
import { applyNotification, type Conversation, createConversation } from "../state/conversation.js";
import { readSettings, type WireSettings } from "../state/settings.js";
import type { WireThread, WireTurn } from "../wire.js";
import { TurnFooter } from "./turn-footer.js";

/** Parameters for `thread/start`. */
export type ThreadRequest = ThreadStartParams & { cwd: string };

/** Settings that apply from the next turn on. */
export type TurnOverrides = Omit<TurnStartParams, "threadId" | "input">;

/** Callbacks of a {@link Session}. */
export interface SessionEvents {
  /** A thread was opened; its turns follow. */
  opened(how: "start" | "resume" | "fork"): void;
  /** The state changed. */
  changed(): void;
  /** A turn ended and no message is queued. */
  idle(): void;
  /** Messages that could not be sent return to the composer. */
  returned(drafts: readonly Draft[]): void;
}

/** The current thread: sends the user's input, and applies notifications to its state. */
export class Session {
  readonly conversation: Conversation = createConversation();
  readonly #server: AppServerClient;
  readonly #clock: Clock;
  readonly #request: ThreadRequest;
  readonly #events: SessionEvents;
  /** Settings changed since the last turn; sent with the next one. */
  #overrides: TurnOverrides = {};
  /** Settings that the user has chosen here; other threads that are opened get them too. */
  #chosen: TurnOverrides = {};
  /** Overrides of the main thread while a side chat is open. */
  #mainOverrides: TurnOverrides = {};
  /** Notifications of other threads while one is being opened. */
  #early: ServerNotification[] | undefined;
  /** `turn/start` was sent, and the turn has not started yet. */
  #isStarting = false;
  #hasStopped = false;
  /** Sequence number of the last notification of this thread, if the server numbers them. */
  #lastSeq: number | undefined;
  #hasGap = false;
  readonly #footer: TurnFooter;

  constructor(
    server: AppServerClient,
    clock: Clock,
    request: ThreadRequest,
    events: SessionEvents,
  ) {
    this.#server = server;
    this.#clock = clock;
    this.#request = request;
    this.#events = events;
    this.#footer = new TurnFooter(server, this.conversation, () => events.changed());
    server.onNotification((notification) => this.#receive(notification));
  }

  get threadId(): string {
    const { threadId } = this.conversation.status;
    if (threadId === undefined) throw new Error("There is no session yet");
    return threadId;
  }

  /** Returns whether a thread is open; messages sent before are queued. */
  get isOpen(): boolean {
    return this.conversation.status.threadId !== undefined;
  }

  get isWorking(): boolean {
    return this.#isStarting || this.conversation.status.isWorking;
  }

  /** Starts a new thread, with the given settings instead of those of the command line. */
  start(settings: Partial<ThreadRequest> = {}): Promise<void> {
    return this.#open("start", { ...this.#request, ...settings });
  }

  resume(threadId: string): Promise<void> {
    const { cwd: _, ...request } = this.#request;
    return this.#open("resume", { ...request, threadId });
  }

  /** Forks a thread, up to and including `lastTurnId` if given. */
  fork(threadId: string, lastTurnId?: string): Promise<void> {
    const { cwd: _, ...request } = this.#request;
    const until = lastTurnId === undefined ? {} : { lastTurnId };
    return this.#open("fork", { ...request, threadId, ...until });
  }

  /** True while a side chat is open. */
  get isSide(): boolean {
    return this.conversation.status.mainThreadId !== undefined;
  }

  /** Opens a copy of the thread that is not persisted; `leaveSide` returns to the thread. */
  async enterSide(): Promise<void> {
    const { threadId } = this;
    const { cwd: _, ...request } = this.#request;
    const params = { ...request, threadId, ephemeral: true, excludeTurns: true };
    this.#mainOverrides = this.#overrides;
    await this.#open("fork", params, { isBeside: true });
    this.conversation.status.mainThreadId = threadId;
  }

  /** Returns from a side chat. */
  async leaveSide(): Promise<void> {
    const { mainThreadId: threadId } = this.conversation.status;
    if (threadId === undefined) return;
    await this.#open("resume", { threadId, excludeTurns: true }, { isBeside: true });
    this.conversation.status.hasTurns = true;
  }

  /**
   * Resumes the thread on a new connection.
   *
   * The server replays the missed notifications. If it cannot, because it was restarted or too many
   * were missed, the running turn is completed from the stored thread.
   */
  async rejoin(): Promise<void> {
    const { threadId, hasTurns } = this.conversation.status;
    if (threadId === undefined) return;
    // A thread without a turn is not persisted.
    if (!hasTurns) return this.start();
    const after = this.#lastSeq === undefined ? {} : { after: this.#lastSeq };
    this.#hasGap = this.#lastSeq === undefined;
    await this.#server.request("thread/resume", { threadId, excludeTurns: true, ...after });
    // Responses are ordered: when this one arrives, the missed notifications have been applied.
    const { thread } = await this.#server.request("thread/read", { threadId, includeTurns: true });
    if (this.#hasGap) await this.resume(threadId);
    else this.#reconcile((thread as WireThread).turns ?? []);
  }

  /** Ends a turn that the server no longer runs, with its stored items. */
  #reconcile(turns: readonly WireTurn[]): void {
    const { status, transcript } = this.conversation;
    const { turn: running } = status;
    const stored = turns.find(({ id }) => id === running?.id);
    if (running === undefined || stored?.status === "inProgress") return;
    for (const item of stored?.items ?? []) transcript.itemCompleted(item);
    const isStopped = stored?.status !== "completed";
    transcript.turnEnded(isStopped);
    status.turnEnded();
    if (isStopped) transcript.notice({ level: "warning", text: "The server interrupted the turn" });
    this.#events.changed();
  }

  /** Sends a message: steers the running turn, or starts one. */
  async send(draft: Draft): Promise<void> {
    const { turn } = this.conversation.status;
    if (turn !== undefined) await this.#steer(draft, turn.id);
    else if (this.#isStarting || !this.isOpen) this.enqueue(draft);
    else await this.#startTurn(draft);
  }

  /** Queues a message for the next turn. */
  enqueue(draft: Draft): void {
    this.conversation.pending.enqueue(draft);
    this.#events.changed();
  }

  /** Interrupts the running turn; queued messages return to the composer. */
  async interrupt(): Promise<void> {
    const { turn } = this.conversation.status;
    if (turn === undefined) return;
    this.#hasStopped = true;
    await this.#server.request("turn/interrupt", { threadId: this.threadId, turnId: turn.id });
  }

  /** Runs a shell command of the user in the thread. */
  async shell(command: string): Promise<void> {
    await this.#server.request("thread/shellCommand", { threadId: this.threadId, command });
  }

  /** Sends a request about this thread. */
  ask<Method extends ClientMethod>(
    method: Method,
    params: Omit<ParamsOf<Method>, "threadId">,
  ): Promise<ResultOf<Method>> {
    const { threadId } = this;
    return this.#server.request(method, { ...params, threadId } as ParamsOf<Method>);
  }

  /** Changes settings from the next turn on. */
  override(settings: TurnOverrides): void {
    const { model, effort, approvalPolicy, sandboxPolicy } = settings;
    const chosen = { model, effort, approvalPolicy, sandboxPolicy };
    for (const [name, value] of Object.entries(chosen)) {
      if (value !== undefined) Object.assign(this.#chosen, { [name]: value });
    }
    this.#use({ ...this.#overrides, ...settings });
    this.#events.changed();
  }

  #use(overrides: TurnOverrides): void {
    const { status } = this.conversation;
    this.#overrides = overrides;
    status.settings = readSettings(overrides as WireSettings, status.settings);
  }

  /** Returns the overrides of a thread that was opened: what the user has chosen stays chosen. */
  #carried(how: "start" | "resume" | "fork", { isSame, isBeside }: OpenedPlace): TurnOverrides {
    if (isSame) return this.#overrides;
    if (how === "fork") return { ...this.#chosen, ...this.#overrides };
    if (isBeside) return this.#mainOverrides;
    const { model, effort, ...permissions } = this.#chosen;
    // Full access was confirmed for one session.
    const isFull = permissions.sandboxPolicy?.type === "dangerFullAccess";
    const allowed = isFull ? {} : permissions;
    // A stored thread has its own model.
    if (how === "resume") return allowed;
    return {
      ...allowed,
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
    };
  }

  /** With `isBeside` the transcript continues: both threads are shown in it. */
  async #open(
    how: "start" | "resume" | "fork",
    params: object,
    { isBeside = false }: { isBeside?: boolean } = {},
  ): Promise<void> {
    const { status, transcript } = this.conversation;
    const before = status.threadId;
    this.#early = [];
    const answer = await this.#server.request(`thread/${how}`, params).catch((error: unknown) => {
      this.#early = undefined;
      throw error;
    });
    // The main thread of a side chat stays loaded.
    const isLeft = before !== answer.thread.id && !(isBeside && how === "fork");
    if (before !== undefined && isLeft) this.#leave(before);
    if (!isBeside) transcript.clear();
    status.clear();
    status.threadId = answer.thread.id;
    status.threadName = answer.thread.name ?? undefined;
    status.settings = readSettings(answer);
    status.branch = answer.thread.gitInfo?.branch ?? undefined;
    status.instructionSources = answer.instructionSources ?? [];
    status.cost = how === "start" ? 0 : undefined;
    const isSame = before === answer.thread.id;
    this.#use(this.#carried(how, { isSame, isBeside }));
    this.#lastSeq = before === answer.thread.id ? this.#lastSeq : undefined;
    if (!isBeside) this.#events.opened(how);
    for (const turn of answer.thread.turns ?? []) this.#addTurn(turn);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const one of early) if (isState(one)) this.#receive(one);
    this.#events.changed();
    // Messages that were queued before the thread was open.
    const next = status.isWorking ? undefined : this.conversation.pending.next();
    if (next !== undefined) void this.#startTurn(next);
  }

  /** Adds a stored turn; a turn that still runs continues live. */
  #addTurn(turn: WireTurn): void {
    const { transcript, status } = this.conversation;
    transcript.addTurn(turn);
    for (const item of turn.items ?? []) {
      if (item.type === "subAgentActivity") status.agents.stored(item);
    }
    status.hasTurns = true;
    if (turn.status === "inProgress") status.turnStarted(turn.id, this.#clock.now());
  }

  /** Lets the server unload the thread; ignores its response. */
  #leave(threadId: string): void {
    this.#server.request("thread/unsubscribe", { threadId }).catch(() => undefined);
  }

  async #startTurn(draft: Draft): Promise<void> {
    this.#isStarting = true;
    this.#hasStopped = false;
    try {
      const params = { threadId: this.threadId, input: toInput(draft), ...this.#overrides };
      const { turn } = await this.#server.request("turn/start", params);
      this.#overrides = {};
      if (this.#isStarting) this.conversation.status.turnStarted(turn.id, this.#clock.now());
    } catch (error) {
      this.#failed("Could not send the message", error);
      this.#events.returned([draft]);
    } finally {
      this.#isStarting = false;
      this.#events.changed();
    }
  }

  async #steer(draft: Draft, expectedTurnId: string): Promise<void> {
    const { pending } = this.conversation;
    pending.steer(draft);
    this.#events.changed();
    try {
      const input = toInput(draft);
      await this.#server.request("turn/steer", { threadId: this.threadId, input, expectedTurnId });
    } catch {
      // The turn ended meanwhile, or does not accept input: use the next one.
      pending.withdraw(draft);
      if (this.isWorking) this.enqueue(draft);
      else await this.#startTurn(draft);
    }
  }

  #receive(notification: ServerNotification): void {
    const { status } = this.conversation;
    const wasWorking = status.isWorking;
    const { threadId } = notification.params as { threadId?: unknown };
    if (threadId !== status.threadId) {
      if (typeof threadId === "string") this.#early?.push(notification);
    } else {
      if (notification.seq !== undefined) this.#lastSeq = notification.seq;
      if (notification.method === "thread/resync") this.#hasGap = true;
    }
    if (notification.method === "turn/started") this.#footer.flush();
    applyNotification(this.conversation, notification, this.#clock.now());
    if (status.ended !== undefined) void this.#footer.ended();
    if (status.isWorking) this.#isStarting = false;
    if (wasWorking && !status.isWorking) this.#turnEnded(notification);
    this.#events.changed();
  }

  #turnEnded(notification: ServerNotification): void {
    const { pending } = this.conversation;
    const status =
      notification.method === "turn/completed" ? notification.params.turn.status : "interrupted";
    this.#isStarting = false;
    if (status !== "completed" || this.#hasStopped) {
      const drafts = pending.takeAll();
      if (drafts.length > 0) this.#events.returned(drafts);
      this.#events.idle();
      return;
    }
    const next = pending.next();
    if (next === undefined) this.#events.idle();
    else void this.#startTurn(next);
  }

  #failed(what: string, error: unknown): void {
    const text = `${what}: ${errorText(error)}`;
    this.conversation.transcript.notice({ level: "error", text });
  }
}

/** How a thread was opened. */
interface OpenedPlace {
  /** It was the current one before. */
  isSame: boolean;
  /** It is a side chat, or the thread beside one. */
  isBeside: boolean;
}

/** Returns true for a notification that is not about a turn: the stored turns do not contain it. */
function isState({ method }: ServerNotification): boolean {
  return !/^(?:turn|item)\//.test(method) || method === "item/autoApprovalReview/completed";
}
