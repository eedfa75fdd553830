import type {
  AppServerClient,
  ClientMethod,
  ParamsOf,
  ResultOf,
  ServerNotification,
} from "../../client/index.js";
import type { Clock } from "../../lib/clock.js";
import { errorText } from "../../lib/error-text.js";
import type { ThreadStartParams } from "../../protocol/rpc/v2/thread-start.js";
import type { TurnStartParams } from "../../protocol/rpc/v2/turn.js";
import { type Draft, toInput } from "../composer/draft.js";
import { applyNotification, type Conversation, createConversation } from "../state/conversation.js";
import { readSettings, type WireSettings } from "../state/settings.js";
import type { WireThread, WireTurn } from "../wire.js";

/** What a thread is begun with; members as `thread/start` has them. */
export type ThreadRequest = ThreadStartParams & { cwd: string };

/** Settings that hold from a turn on. */
export type TurnOverrides = Omit<TurnStartParams, "threadId" | "input">;

/** What the session tells whoever draws it. */
export interface SessionEvents {
  /** A conversation is open; what it holds follows. */
  opened(how: "start" | "resume" | "fork"): void;
  /** Something changed. */
  changed(): void;
  /** A turn ended and nothing follows it. */
  rested(): void;
  /** Messages that were not sent come back to be changed. */
  returned(drafts: readonly Draft[]): void;
}

/**
 * One conversation with the agent: sends what the user says, and keeps the state that
 * notifications change.
 */
export class Session {
  readonly conversation: Conversation = createConversation();
  readonly #server: AppServerClient;
  readonly #clock: Clock;
  readonly #request: ThreadRequest;
  readonly #events: SessionEvents;
  /** Settings the user chose since the last turn, which go with the next one. */
  #overrides: TurnOverrides = {};
  /** The turn that was asked for and has not begun. */
  #isStarting = false;
  #hasStopped = false;
  /** The number of the last notification of this thread, if the server numbers them. */
  #lastSeq: number | undefined;
  #hasGap = false;

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
    server.onNotification((told) => this.#hear(told));
  }

  get threadId(): string {
    const { threadId } = this.conversation.status;
    if (threadId === undefined) throw new Error("There is no session yet");
    return threadId;
  }

  /** Is there a conversation? What is said before waits for it. */
  get isOpen(): boolean {
    return this.conversation.status.threadId !== undefined;
  }

  get isWorking(): boolean {
    return this.#isStarting || this.conversation.status.isWorking;
  }

  start(): Promise<void> {
    return this.#open("start", { ...this.#request });
  }

  resume(threadId: string): Promise<void> {
    const { cwd: _, ...request } = this.#request;
    return this.#open("resume", { ...request, threadId });
  }

  /** Copies a conversation, up to and with `lastTurnId` when that is given. */
  fork(threadId: string, lastTurnId?: string): Promise<void> {
    const { cwd: _, ...request } = this.#request;
    const until = lastTurnId === undefined ? {} : { lastTurnId };
    return this.#open("fork", { ...request, threadId, ...until });
  }

  /**
   * Follows the thread again on a new connection.
   *
   * The server repeats what was missed. If it cannot, because it was restarted or too much was missed,
   * the turn that ran is completed from the stored thread.
   */
  async rejoin(): Promise<void> {
    const { threadId, hasTurns } = this.conversation.status;
    if (threadId === undefined) return;
    // A session without a turn is not stored.
    if (!hasTurns) return this.start();
    const after = this.#lastSeq === undefined ? {} : { after: this.#lastSeq };
    this.#hasGap = this.#lastSeq === undefined;
    await this.#server.request("thread/resume", { threadId, excludeTurns: true, ...after });
    // What was missed has been heard when the next answer comes.
    const { thread } = await this.#server.request("thread/read", { threadId, includeTurns: true });
    if (this.#hasGap) await this.resume(threadId);
    else this.#reconcile((thread as WireThread).turns ?? []);
  }

  /** Ends a turn that the server no longer runs, with what is stored of it. */
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

  /** Sends a message: to the running turn, or as a turn of its own. */
  async send(draft: Draft): Promise<void> {
    const { turn } = this.conversation.status;
    if (turn !== undefined) await this.#steer(draft, turn.id);
    else if (this.#isStarting || !this.isOpen) this.enqueue(draft);
    else await this.#startTurn(draft);
  }

  /** Keeps a message for the turn after this one. */
  enqueue(draft: Draft): void {
    this.conversation.waiting.enqueue(draft);
    this.#events.changed();
  }

  /** Stops the running turn; what waits goes back to the composer. */
  async interrupt(): Promise<void> {
    const { turn } = this.conversation.status;
    if (turn === undefined) return;
    this.#hasStopped = true;
    await this.#server.request("turn/interrupt", { threadId: this.threadId, turnId: turn.id });
  }

  /** Runs a command of the user's in the thread. */
  async shell(command: string): Promise<void> {
    await this.#server.request("thread/shellCommand", { threadId: this.threadId, command });
  }

  /** Asks the server something about this thread. */
  ask<Method extends ClientMethod>(
    method: Method,
    params: Omit<ParamsOf<Method>, "threadId">,
  ): Promise<ResultOf<Method>> {
    const { threadId } = this;
    return this.#server.request(method, { ...params, threadId } as ParamsOf<Method>);
  }

  /** Changes settings from the next turn on, members as `turn/start` has them. */
  override(settings: TurnOverrides): void {
    this.#overrides = { ...this.#overrides, ...settings };
    const { status } = this.conversation;
    status.settings = readSettings(settings as WireSettings, status.settings);
    this.#events.changed();
  }

  async #open(how: "start" | "resume" | "fork", params: object): Promise<void> {
    const { status, transcript } = this.conversation;
    const before = status.threadId;
    const answer = await this.#server.request(`thread/${how}`, params);
    if (before !== undefined && before !== answer.thread.id) this.#leave(before);
    transcript.clear();
    status.clear();
    status.threadId = answer.thread.id;
    status.threadName = answer.thread.name ?? undefined;
    status.settings = readSettings(answer);
    this.#overrides = {};
    this.#lastSeq = before === answer.thread.id ? this.#lastSeq : undefined;
    this.#events.opened(how);
    for (const turn of answer.thread.turns ?? []) this.#addTurn(turn);
    this.#events.changed();
    // What was said before there was anybody to hear it.
    const next = status.isWorking ? undefined : this.conversation.waiting.next();
    if (next !== undefined) void this.#startTurn(next);
  }

  /** A turn that still runs is joined: its items so far are shown, and the rest is heard. */
  #addTurn(turn: WireTurn): void {
    const { transcript, status } = this.conversation;
    transcript.addTurn(turn);
    status.hasTurns = true;
    if (turn.status === "inProgress") status.turnStarted(turn.id, this.#clock.now());
  }

  /** The server may forget a thread nobody looks at; whether it does is its own matter. */
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
    const { waiting } = this.conversation;
    waiting.steer(draft);
    this.#events.changed();
    try {
      const input = toInput(draft);
      await this.#server.request("turn/steer", { threadId: this.threadId, input, expectedTurnId });
    } catch {
      // The turn ended meanwhile, or is of a kind that takes nothing in: the next one will.
      waiting.withdraw(draft);
      if (this.isWorking) this.enqueue(draft);
      else await this.#startTurn(draft);
    }
  }

  #hear(told: ServerNotification): void {
    const { status } = this.conversation;
    const wasWorking = status.isWorking;
    const { threadId } = told.params as { threadId?: unknown };
    if (threadId === status.threadId) {
      if (told.seq !== undefined) this.#lastSeq = told.seq;
      if (told.method === "thread/resync") this.#hasGap = true;
    }
    applyNotification(this.conversation, told, this.#clock.now());
    if (status.isWorking) this.#isStarting = false;
    if (wasWorking && !status.isWorking) this.#turnEnded(told);
    this.#events.changed();
  }

  #turnEnded(told: ServerNotification): void {
    const { waiting } = this.conversation;
    const status = told.method === "turn/completed" ? told.params.turn.status : "interrupted";
    this.#isStarting = false;
    if (status !== "completed" || this.#hasStopped) {
      const drafts = waiting.takeAll();
      if (drafts.length > 0) this.#events.returned(drafts);
      this.#events.rested();
      return;
    }
    const next = waiting.next();
    if (next === undefined) this.#events.rested();
    else void this.#startTurn(next);
  }

  #failed(what: string, error: unknown): void {
    const text = `${what}: ${errorText(error)}`;
    this.conversation.transcript.notice({ level: "error", text });
  }
}
