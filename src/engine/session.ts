import type { Clock } from "../lib/clock.js";
import type { ModelClient, ModelProvider } from "../model/types.js";
import type { Era } from "../protocol/era.js";
import type { EventMsg, ResponseItem, TurnAbortReason } from "../protocol/types.js";
import type { ToolBox } from "../tools/index.js";
import { Approvals } from "./approvals.js";
import { environmentDiffers, environmentMessage } from "./environment-context.js";
import { History } from "./history.js";
import type { SessionLog } from "./log.js";
import { PendingInput } from "./pending-input.js";
import { isPersisted } from "./persisted-events.js";
import type { QueuePair } from "./queues.js";
import type { Task } from "./task.js";
import { TokenMeter } from "./token-meter.js";
import {
  environmentOf,
  overrideTurnContext,
  type TurnContext,
  type TurnOverrides,
} from "./turn-context.js";

/** What a session is made of; everything outside the engine comes in here. */
export interface SessionParts extends SessionConfiguration {
  id: string;
  queues: QueuePair;
  log: SessionLog;
  era: Era;
  clock: Clock;
  newId(): string;
}

/** The part of a session that `configure_session` can change. */
export interface SessionConfiguration {
  model: ModelClient;
  provider: ModelProvider;
  tools: ToolBox;
  context: TurnContext;
  settings: SessionSettings;
}

/** Settings that stay for the life of a session. */
export interface SessionSettings {
  /** Replaces the base prompt of the model's family. */
  baseInstructions: string | undefined;
  showRawReasoning: boolean;
  hideReasoning: boolean;
  /** The user's shell by its bare name, when known. */
  shell: string | undefined;
  contextWindow: number | undefined;
  /** Overrides when the conversation is summarized by itself. */
  autoCompactLimit: number | undefined;
  /** Replaces how a summary is asked for. */
  compactPrompt: string | undefined;
  /** The model that reviews. */
  reviewModel: string;
}

/** One conversation: its configuration, its state, and at most one running task. */
export class Session {
  parts: SessionParts;
  readonly history = new History();
  readonly tokens = new TokenMeter();
  readonly approvals = new Approvals();
  readonly pending = new PendingInput();
  context: TurnContext;
  task: Task | undefined;
  #warned = new Set<string>();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.context = parts.context;
  }

  get settings(): SessionSettings {
    return this.parts.settings;
  }

  get id(): string {
    return this.parts.id;
  }

  /** How much the model can be shown, when that is known. */
  get contextWindow(): number | undefined {
    return this.settings.contextWindow ?? this.context.family.contextWindow;
  }

  /** From how many tokens in its window on the conversation is summarized by itself, if at all. */
  get compactLimit(): number | undefined {
    const { autoCompactPercent } = this.parts.era.engine;
    const window = this.contextWindow;
    if (this.settings.autoCompactLimit !== undefined) return this.settings.autoCompactLimit;
    if (autoCompactPercent === undefined || window === undefined) return undefined;
    return Math.floor((window * autoCompactPercent) / 100);
  }

  get isOverCompactLimit(): boolean {
    const limit = this.compactLimit;
    return limit !== undefined && this.tokens.lastInContext >= limit;
  }

  /** What stands in front of every conversation of this session. */
  initialContext(): ResponseItem[] {
    const { shell } = this.settings;
    const environment = environmentOf(this.context);
    return [environmentMessage(shell === undefined ? environment : { ...environment, shell })];
  }

  /**
   * The only way out of the engine, so that clients and the log see one order of events.
   *
   * `itemId` names the item of the conversation that the event belongs to.
   */
  emit(submissionId: string, msg: EventMsg, itemId?: string): void {
    if (isPersisted(msg.type, this.parts.era.engine)) {
      this.parts.log.append({ type: "event_msg", payload: msg });
    }
    this.parts.queues.publish({
      id: submissionId,
      msg,
      thread_id: this.parts.id,
      ...(this.task === undefined ? undefined : { turn_id: this.task.turnId }),
      ...(itemId === undefined ? undefined : { item_id: itemId }),
    });
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
    for (const item of items) this.parts.log.append({ type: "response_item", payload: item });
  }

  /** Goes on with other settings; what the model has been told of the old ones is corrected. */
  reconfigure(configuration: SessionConfiguration): void {
    this.parts.model.close();
    const before = environmentOf(this.context);
    const after = environmentOf(configuration.context);
    this.parts = { ...this.parts, ...configuration };
    this.context = configuration.context;
    if (environmentDiffers(before, after)) this.record([environmentMessage(after)]);
  }

  /** Changes the settings of the turns that follow. */
  override(overrides: TurnOverrides): void {
    this.context = overrideTurnContext(this.context, overrides, this.parts.era.model);
  }

  /** Goes on from other items; the log has the summary they stand for, and keeps all before it. */
  replaceHistory(items: readonly ResponseItem[], summary: string): void {
    this.history.replace(items);
    const replacement = this.parts.era.engine.logsTasks ? { replacement_history: [...items] } : {};
    this.parts.log.append({ type: "compacted", payload: { message: summary, ...replacement } });
  }

  /** Goes back to where a response ended; the log says so, for whoever resumes from it. */
  returnTo(responseId: string): void {
    if (!this.history.returnTo(responseId)) return;
    const replacement = [...this.history.items];
    const payload = { message: "", replacement_history: replacement, response_id: responseId };
    this.parts.log.append({ type: "compacted", payload });
  }

  /** Ends the running task, if there is one; its tools stop and it says nothing more. */
  abortTask(reason: TurnAbortReason): void {
    this.task?.abort(reason);
  }

  /** Ends the session: the running task, the connections and the log. */
  async close(): Promise<void> {
    const task = this.task;
    this.abortTask("interrupted");
    await task?.settled;
    this.parts.model.close();
    await this.parts.log.close();
  }
}
