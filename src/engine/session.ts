import type { Config } from "../config/index.js";
import type {
  DynamicToolResponse,
  Event,
  EventMsg,
  MessageItem,
  RequestPermissionsResponse,
  ResponseItem,
  ReviewDecision,
  TurnAbortReason,
  UserInputResponse,
} from "../protocol/types.js";
import {
  isPersistedEvent,
  lengthWithoutLastTurns,
  type ReplayedConversation,
} from "../rollout/index.js";
import { compactLimit } from "./compact/compact-limit.js";
import { ContextWindows } from "./context-windows.js";
import { estimateTokens } from "./estimate-tokens.js";
import { History } from "./history.js";
import { toLoggedEvent } from "./logged-event.js";
import { type Elicitation, type ElicitationAnswer, elicitationKey } from "./mcp-access.js";
import { developerMessage } from "./opening/messages.js";
import { changeMessages, openingMessages } from "./opening/opening.js";
import { PendingInput } from "./pending-input.js";
import { PermissionGrants } from "./permission-grants.js";
import { Questions } from "./questions.js";
import type { SessionConfiguration, SessionParts } from "./session-parts.js";
import type { Task } from "./task.js";
import { TokenMeter } from "./token-meter.js";
import { overrideTurnContext, type TurnContext, type TurnOverrides } from "./turn-context.js";
import { toUserMessageEvent } from "./user-input.js";

/** One conversation: its configuration, its state, and at most one running task. */
export class Session {
  parts: SessionParts;
  readonly history = new History();
  readonly tokens = new TokenMeter();
  readonly windows: ContextWindows;
  readonly approvals = new Questions<ReviewDecision>();
  readonly elicitations = new Questions<ElicitationAnswer>();
  readonly userInputs = new Questions<UserInputResponse>();
  readonly permissions = new Questions<RequestPermissionsResponse>();
  /** What the user has granted for the rest of the session. */
  readonly grants = new PermissionGrants();
  readonly dynamicCalls = new Questions<DynamicToolResponse>();
  readonly pending = new PendingInput();
  context: TurnContext;
  /** What the user and the project tell the model; read when the session begins. */
  userInstructions: string | undefined;
  /** What it is told of skills, where that is said by itself. */
  skills = "";
  /** The files that they are from. */
  instructionSources: readonly string[] = [];
  task: Task | undefined;
  isAnnounced = false;
  /** What happened while the session was made. */
  early: Pick<Event, "id" | "msg">[] = [];
  /** Every item that is recorded is told as it is. */
  tellsRaw = false;
  /** Ends that it follows changes of its settings. */
  leave: () => void = () => {};
  #warned = new Set<string>();
  /** What is to be done when no task runs. */
  #whenIdle: (() => void) | undefined;
  #instructions: MessageItem | undefined;
  /** Responses that a client may come back to, by where they ended in the log. */
  #onlyRecorded = new Map<string, number>();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.context = parts.context;
    this.windows = new ContextWindows(parts.newId);
  }

  get config(): Config {
    return this.parts.config;
  }

  get id(): string {
    return this.parts.id;
  }

  /** How much the model can be shown, when that is known. */
  get contextWindow(): number | undefined {
    return this.windowOf(this.context);
  }

  /** The same in other settings than the session's own. */
  windowOf({ model, family }: TurnContext): number | undefined {
    const isConfigured = model === this.config.model;
    return isConfigured
      ? (this.config.model_context_window ?? family.contextWindow)
      : family.contextWindow;
  }

  /** From how many tokens in its window on the conversation is summarized by itself, if at all. */
  get compactLimit(): number | undefined {
    return compactLimit({
      configured: this.config.model_auto_compact_token_limit,
      window: this.contextWindow,
      percent: this.parts.era.engine.autoCompactPercent,
    });
  }

  get isOverCompactLimit(): boolean {
    const limit = this.compactLimit;
    return limit !== undefined && this.tokens.lastInContext >= limit;
  }

  /** What stands in front of every conversation of this session. */
  initialContext(): ResponseItem[] {
    return openingMessages(this);
  }

  /** The instructions as a message, the same one as long as they are the same. */
  instructionsMessage(text: string): ResponseItem {
    const [part] = this.#instructions?.content ?? [];
    if (part === undefined || !("text" in part) || part.text !== text) {
      this.#instructions = developerMessage(text) as MessageItem;
    }
    return this.#instructions as MessageItem;
  }

  /**
   * The only way out of the engine, so that clients and the log see one order of events.
   *
   * `itemId` names the item of the conversation that the event belongs to, `part` which part of it.
   */
  emit(submissionId: string, msg: EventMsg, itemId?: string, part?: number): void {
    if (isPersistedEvent(msg, this.parts.era.engine)) {
      this.parts.log.append({
        type: "event_msg",
        payload: toLoggedEvent(msg, { task: this.task, itemId }, this.parts.era.engine),
      });
    }
    const event: Event = { id: submissionId, msg, thread_id: this.id };
    if (this.task?.id === submissionId) event.turn_id = this.task.turnId;
    if (itemId !== undefined) event.item_id = itemId;
    if (part !== undefined) event.part = part;
    this.parts.queues.publish(event);
  }

  /** The same for what belongs to a turn that may be over; the log says to which. */
  emitIn(place: Pick<Event, "id" | "turn_id" | "item_id">, msg: EventMsg): void {
    if (isPersistedEvent(msg, this.parts.era.engine)) {
      const { engine } = this.parts.era;
      const { turn_id, item_id: itemId } = place;
      const logged = toLoggedEvent(msg, { task: this.task, itemId }, engine);
      const payload = { ...logged, turn_id } as EventMsg;
      this.parts.log.append({ type: "event_msg", payload });
    }
    this.parts.queues.publish({ ...place, msg, thread_id: this.id });
  }

  /** Puts a question of an MCP server to the user. */
  askElicitation(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    const { server, id, message, requestedSchema } = question;
    this.emit(this.task?.id ?? "", {
      type: "elicitation_request",
      server_name: server,
      id,
      message,
      requested_schema: requestedSchema,
    });
    return this.elicitations.ask(elicitationKey(server, id), [], signal);
  }

  /** The client knows the session: what happened before that can be told now. */
  announce(): void {
    this.isAnnounced = true;
    for (const { id, msg } of this.early.splice(0)) this.emit(id, msg);
  }

  /** Does something as soon as no task runs; of several things that wait only the last is done. */
  whenIdle(step: () => void): void {
    if (this.task === undefined) step();
    else this.#whenIdle = step;
  }

  /** Called by a task when it has ended. */
  becomeIdle(): void {
    this.task = undefined;
    const step = this.#whenIdle;
    this.#whenIdle = undefined;
    step?.();
  }

  /** Tells the user something that is no error; the same thing is told once. */
  warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.emit(this.task?.id ?? "", { type: "warning", message });
  }

  /** Adds items to what the model is shown, and to the log. */
  record(items: readonly ResponseItem[]): void {
    this.history.append(items);
    for (const item of items) {
      this.parts.log.append({ type: "response_item", payload: item });
      if (this.tellsRaw) this.#tellRaw(item);
    }
  }

  /** What stands in front was put there by nobody's submission. */
  #tellRaw(item: ResponseItem): void {
    const { id: _, ...bare } = item as ResponseItem & { id?: string };
    const told = this.parts.era.model.sendsIds ? item : (bare as ResponseItem);
    const event = {
      id: this.task?.id ?? "auto-compact-0",
      msg: { type: "raw_response_item", item: told },
    } as const;
    if (this.isAnnounced) this.emit(event.id, event.msg);
    else this.early.push(event);
  }

  /** Goes on with other settings; what the model has been told of the old ones is corrected. */
  reconfigure(configuration: SessionConfiguration): void {
    this.parts.model.close();
    void this.parts.tools.close();
    const before = this.context;
    this.parts = { ...this.parts, ...configuration };
    this.context = configuration.context;
    this.tellChange(before);
  }

  /**
   * Tells the model what it must know of settings that have changed.
   *
   * `submissionId` says whose change it is, for the versions that tell the client of it.
   */
  tellChange(before: TurnContext, submissionId?: string): void {
    const { engine } = this.parts.era;
    const messages = changeMessages(this, before);
    this.record(messages);
    if (submissionId === undefined || !engine.echoesEnvironment) return;
    for (const message of messages) {
      const event = toUserMessageEvent(message, [], engine);
      if (event.kind === "environment_context") this.emit(submissionId, event);
    }
  }

  /** Changes the settings of the turns that follow. */
  override(overrides: TurnOverrides): void {
    this.context = overrideTurnContext(this.context, overrides, this.parts.era.model);
  }

  /** Goes on from other items; the log has the summary they stand for, and keeps all before it. */
  replaceHistory(items: readonly ResponseItem[], summary: string): void {
    this.history.replace(items);
    this.windows.next();
    const replacement = this.parts.era.engine.logsTasks ? { replacement_history: [...items] } : {};
    this.parts.log.append({ type: "compacted", payload: { message: summary, ...replacement } });
  }

  /** Whether a turn can go on from that response. */
  hasBookmark(responseId: string): boolean {
    return this.history.has(responseId) || this.#onlyRecorded.has(responseId);
  }

  /** Goes back to where a response ended; the log says so, for whoever resumes from it. */
  async returnTo(responseId: string): Promise<void> {
    if (!this.history.returnTo(responseId)) await this.#returnToRecorded(responseId);
    const replacement = [...this.history.items];
    const payload = { message: "", replacement_history: replacement, response_id: responseId };
    this.parts.log.append({ type: "compacted", payload });
  }

  /** Takes the user's last turns out of what the model is shown. */
  rollBack(turns: number): void {
    this.history.truncate(lengthWithoutLastTurns(this.history.items, turns));
    this.tokens.estimate(estimateTokens(this.history.items));
  }

  /** Ends the running task, if there is one; its tools stop and it says nothing more. */
  abortTask(reason: TurnAbortReason): void {
    this.task?.abort(reason);
  }

  /** What stood before a summary is no longer in memory, but it is in the log. */
  async #returnToRecorded(responseId: string): Promise<void> {
    const { path } = this.parts.log;
    const end = this.#onlyRecorded.get(responseId);
    if (path === undefined || end === undefined) return;
    const { items } = await this.parts.readConversation(path, end);
    this.history.replace(items);
    this.history.bookmark(responseId, []);
  }

  /** Takes over a recorded conversation as it was left. */
  restore(conversation: ReplayedConversation): void {
    const { items, bookmarks, tokens, lastResponseId } = conversation;
    this.history.restore(items, bookmarks, lastResponseId);
    for (const [responseId, { length, end }] of bookmarks) {
      if (length === undefined) this.#onlyRecorded.set(responseId, end);
    }
    const { restoresTokens } = this.parts.era.engine;
    if (tokens != null && restoresTokens) this.tokens.restore(tokens);
  }

  /** Ends the session: the running task, the connections and the log. */
  async close(): Promise<void> {
    this.leave();
    this.#whenIdle = undefined;
    const task = this.task;
    this.abortTask("interrupted");
    await task?.settled;
    this.parts.model.close();
    await this.parts.tools.close();
    await this.parts.mcp.close();
    await this.parts.log.close();
  }
}
