import { type AgentMail, toMessageItem } from "../agents/index.js";
import type { Config } from "../config/index.js";
import type {
  ConfigureSessionOp,
  DynamicToolResponse,
  EventMsg,
  InputItem,
  RequestPermissionsResponse,
  ResponseItem,
  ReviewDecision,
  TurnAbortReason,
  UserInputResponse,
} from "../protocol/types.js";
import { lengthWithoutLastTurns, type ReplayedConversation } from "../rollout/index.js";
import type { HelperAgents } from "./agents/helper-agents.js";
import type { Denials } from "./auto-review/denials.js";
import { Bookmarks } from "./bookmarks.js";
import type { SessionBudget } from "./budget/amounts.js";
import { CurrentTask, type FollowUpWork, PendingInput, type RunningTask } from "./current-task.js";
import { History } from "./history.js";
import type { SessionHooks, StartSource } from "./hooks/session-hooks.js";
import { InstructionsMessage } from "./instructions.js";
import { type Elicitation, type ElicitationAnswer, elicitationKey } from "./mcp-access.js";
import { openingMessages } from "./opening/opening.js";
import type { SessionConfiguration, SessionParts } from "./parts.js";
import { PermissionGrants, Questions } from "./permissions.js";
import type { SessionFiles } from "./rewind/session-files.js";
import { SessionEvents } from "./session-events.js";
import { ContextWindows, compactLimit, estimateTokens, TokenMeter } from "./tokens.js";
import type { TurnContext } from "./turn-context.js";
import { TurnSettings } from "./turn-settings.js";

/** Handling of input while a task is running. */
export type OnInput = NonNullable<ConfigureSessionOp["on_input"]>;

/** Returns true for what agents did, and for compactions, which remove their answers from the history. */
function concernsAgents(msg: EventMsg): boolean {
  if (msg.type === "context_compacted") return true;
  if (msg.type !== "item_completed") return false;
  return msg.item?.type === "SubAgentActivity" || msg.item?.type === "CollabAgentToolCall";
}

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
  /** Permissions granted for the rest of the session. */
  readonly grants = new PermissionGrants();
  readonly dynamicCalls = new Questions<DynamicToolResponse>();
  readonly pending = new PendingInput();
  readonly #clientIds = new WeakMap<readonly InputItem[], string>();
  readonly current = new CurrentTask();
  readonly events: SessionEvents;
  readonly bookmarks: Bookmarks;
  readonly instructions = new InstructionsMessage();
  readonly settings: TurnSettings;
  /** Instructions of the user and the project; read when the session starts. */
  userInstructions: string | undefined;
  /** Skills section, when sent as a separate message. */
  skills = "";
  /** Files that the instructions and skills are from. */
  instructionSources: readonly string[] = [];
  /** If true, every recorded item is also emitted as it is. */
  emitsRawItems = false;
  /** Ends its use of the worktree that it works in; undefined if it works elsewhere. */
  leaveWorktree: (() => void) | undefined;
  /** Helper agents; created when the model uses one. */
  agents: HelperAgents | undefined;
  #agents: Promise<HelperAgents> | undefined;
  /** Denials of the automatic reviewer of approvals; created with the first one. */
  denials: Denials | undefined;
  /** Messages of the conversation that was resumed, as far as they concern its helper agents. */
  replayed: readonly EventMsg[] = [];
  /** Reviews of the conversation that was resumed. */
  replayedReviews: readonly EventMsg[] = [];
  /** Budgets of the config; most sessions have none. */
  budget: SessionBudget | undefined;
  /** Goal and queue; loaded when one of them is used. */
  followUps: FollowUpWork | undefined;
  /** Loads them, without a goal and a queue if there are none. */
  loadFollowUps: (() => Promise<FollowUpWork>) | undefined;
  /** Files that its turns change; loaded with the first change. */
  files: SessionFiles | undefined;
  /** Hooks of the user; most sessions have none. */
  hooks: SessionHooks | undefined;
  /** Why the next turn starts the conversation, for hooks; unset if it only continues it. */
  startSource: StartSource | undefined = "startup";
  /** Handling of input while a task runs; unset: the default of the op. */
  onInput: OnInput | undefined;
  /** Turn that another engine has started and that the next task with this id continues. */
  continued: { id: string; turnId: string } | undefined;
  /** Items to record before the next request, after the outputs of all calls. */
  readonly lateItems: ResponseItem[] = [];
  /** Ends that it follows changes of its settings. */
  stopFollowing: () => void = () => {};

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.settings = new TurnSettings(this, parts.context);
    this.windows = new ContextWindows(parts.newId);
    // These parts do not change with the configuration.
    const { id, log, queues, era } = parts;
    this.events = new SessionEvents({ id, log, queues, era }, this.current);
    this.bookmarks = new Bookmarks(this);
  }

  get config(): Config {
    return this.parts.config;
  }

  /** Settings of the next turn, or of the running one. */
  get context(): TurnContext {
    return this.settings.context;
  }

  get id(): string {
    return this.parts.id;
  }

  /** The task that runs, if one does. */
  get task(): RunningTask | undefined {
    return this.current.running;
  }

  /** Context window of the model in tokens, if known. */
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

  /** Number of tokens from which the conversation is compacted automatically, if any. */
  get compactLimit(): number | undefined {
    return compactLimit({
      configured: this.config.model_auto_compact_token_limit,
      window: this.contextWindow,
      era: this.parts.era,
    });
  }

  get isOverCompactLimit(): boolean {
    const limit = this.compactLimit;
    return limit !== undefined && this.tokens.lastInContext >= limit;
  }

  /** Messages in front of every conversation of this session. */
  initialContext(): ResponseItem[] {
    return openingMessages(this);
  }

  /** Logs and publishes an event; see `SessionEvents.emit`. */
  emit(submissionId: string, msg: EventMsg, itemId?: string, part?: number): void {
    this.events.emit(submissionId, msg, itemId, part);
  }

  /** Emits a warning, once per message. */
  warn(message: string): void {
    this.events.warn(message);
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

  /** Takes a message of another agent: as a new turn if it starts one, else with a later request. */
  deliver(mail: AgentMail, startTurn?: () => void): void {
    if (mail.trigger_turn && startTurn !== undefined && this.task === undefined) startTurn();
    else this.pending.addMail(toMessageItem(mail));
  }

  /** Records a message that starts a turn. */
  recordMail(mail: AgentMail): void {
    this.record([toMessageItem(mail)]);
  }

  /** Returns the helper agents of the session; creates them on first use. */
  async useAgents(): Promise<HelperAgents> {
    const { SessionAgents } = await import("./agents/session-agents.js");
    this.#agents ??= SessionAgents.of(this).then((agents) => {
      this.agents = agents;
      this.budget?.joinTree(agents.tree);
      return agents;
    });
    return this.#agents;
  }

  /** Returns the store of changed files; undefined if the session has none. */
  async useFiles(): Promise<SessionFiles | undefined> {
    const { agent, log, era } = this.parts;
    // The turn of the user covers what helper agents do in it.
    const isOn = this.config.checkpoints.enabled ?? era.since.current;
    if (!isOn || agent !== undefined || log.path === undefined) return undefined;
    const { SessionFiles } = await import("./rewind/session-files.js");
    this.files ??= new SessionFiles(this);
    return this.files;
  }

  /** Adds items to the history and to the log. */
  record(items: readonly ResponseItem[], when?: "with the next"): void {
    this.history.append(items);
    for (const item of items) {
      this.parts.log.append({ type: "response_item", payload: item }, when);
      if (this.emitsRawItems) this.events.emitRawItem(item);
    }
  }

  /** Applies a new configuration and records the changes for the model. */
  reconfigure(configuration: SessionConfiguration): void {
    this.parts.model.close();
    void this.parts.tools.close();
    this.parts = { ...this.parts, ...configuration };
    this.settings.replace(configuration.context);
  }

  /** Replaces the hooks; those of the old ones that still run are ended. */
  useHooks(hooks: SessionHooks | undefined): void {
    void this.hooks?.close();
    this.hooks = hooks;
  }

  /** Remembers the id that a client gave its input, for the item of the message. */
  nameInput(items: readonly InputItem[], clientId: string | null | undefined): void {
    if (clientId != null) this.#clientIds.set(items, clientId);
  }

  /** Returns the id that a client gave its input. */
  clientIdOf(items: readonly InputItem[]): string | undefined {
    return this.#clientIds.get(items);
  }

  /** Replaces the history by compacted items; the log gets the summary and keeps the old items. */
  replaceHistory(items: readonly ResponseItem[], summary: string): void {
    this.history.replace(items);
    this.windows.next();
    this.startSource = "compact";
    const replacement = this.parts.era.engine.recordsTasks
      ? { replacement_history: [...items] }
      : {};
    this.parts.log.append({ type: "compacted", payload: { message: summary, ...replacement } });
  }

  /** Removes the last turns of the user from the history. */
  rollBack(turns: number): void {
    this.history.truncate(lengthWithoutLastTurns(this.history.items, turns));
    this.tokens.estimate(estimateTokens(this.history.items));
  }

  /** Aborts the running task, if any: its tools stop and it emits nothing more. */
  abortTask(reason: TurnAbortReason): void {
    this.current.abort(reason);
  }

  /** Aborts the running task and everything queued behind it; each gets a `turn_aborted` under its id. */
  abortAll(reason: TurnAbortReason): void {
    const queued = this.current.takeQueued();
    const { task } = this;
    task?.abort(reason === "interrupted" ? task.interruptReason : reason);
    for (const { id } of queued) {
      this.events.answer(id, { type: "turn_aborted", reason });
      this.parts.queues.applied?.(id);
    }
  }

  /** Drops the input that the running task has not used yet. */
  dropPending(): void {
    for (const { submissionId } of this.pending.take()) {
      if (submissionId !== undefined) this.parts.queues.applied?.(submissionId);
    }
  }

  /** Takes over a recorded conversation as it was left. */
  restore(conversation: ReplayedConversation): void {
    const { items, bookmarks, tokens, initialMessages } = conversation;
    const ofAgents = initialMessages.filter(concernsAgents);
    this.replayed = ofAgents.some(({ type }) => type === "item_completed") ? ofAgents : [];
    this.replayedReviews = initialMessages.filter(({ type }) => type === "guardian_assessment");
    this.history.restore(items, bookmarks, conversation);
    this.bookmarks.restore(bookmarks);
    // Before 0.104 the count started at zero.
    if (tokens != null && this.parts.era.since["0.104"]) this.tokens.restore(tokens);
  }

  /** Ends the session: the running task, the connections and the log. */
  async close(): Promise<void> {
    this.stopFollowing();
    await this.current.close();
    await this.agents?.close();
    await this.hooks?.end();
    this.parts.model.close();
    await this.parts.tools.close();
    await this.files?.close();
    await this.parts.mcp.close();
    await this.parts.log.close();
    this.parts.observer?.close();
    this.leaveWorktree?.();
  }
}
