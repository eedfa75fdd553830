import { closedEarly, type ModelFailure, type StreamItem } from "../model/index.js";
import type { ImageGenerationCallItem, ResponseItem } from "../protocol/types.js";
import { webSearchQuery } from "../rollout/index.js";
import type { Conversation } from "./conversation.js";
import { emitsWebSearch, ItemEvents } from "./item-events.js";
import { waitNotice } from "./model-errors.js";
import { PatchPreview } from "./patch-preview.js";
import { PlanEvents } from "./plan-blocks.js";
import type { Task } from "./task.js";
import { startsCommand, ToolCalls } from "./tool-calls.js";

/** Outcome of one step. */
export interface StepOutcome {
  failure?: ModelFailure;
  /** True if tools were called: the model needs another step to read their outputs. */
  needsAnswer: boolean;
  lastAgentMessage: string | undefined;
}

/** Turns one response of the model into events, tool calls and items of the conversation. */
export class ResponseReader {
  #task: Task;
  #conversation: Conversation;
  #calls: ToolCalls;
  #itemEvents: ItemEvents;
  #plan: PlanEvents | undefined;
  #preview: PatchPreview | undefined;
  #items: ResponseItem[] = [];
  #lastAgentMessage: string | undefined;
  #responseId: string | undefined;
  #failure: ModelFailure | undefined;
  #isComplete = false;
  #goesOn = false;

  constructor(task: Task, conversation: Conversation) {
    this.#task = task;
    this.#conversation = conversation;
    this.#calls = new ToolCalls(task, conversation);
    const isPlanning = conversation.context.collaboration_mode?.mode === "plan";
    this.#itemEvents = new ItemEvents(task, conversation);
    this.#plan = isPlanning ? new PlanEvents(task, this.#itemEvents) : undefined;
    this.#preview = previewsPatches(task) ? new PatchPreview(task) : undefined;
  }

  /** Handles one piece; returns a promise when nothing may be read before a call has ended. */
  read(item: StreamItem): Promise<void> | undefined {
    // Most pieces by far are text, so nothing else is looked at for them.
    if (item.type === "text_delta") {
      if (this.#conversation.reports === "messages") this.#emitText(item.delta, item.itemId);
      return;
    }
    const task = this.#task;
    const { config } = task.session;
    const { tokens } = this.#conversation;
    switch (item.type) {
      case "reasoning_delta":
        if (config.hide_agent_reasoning) return;
        task.emit(
          { type: "agent_reasoning_delta", delta: item.delta },
          this.#itemEvents.idOf(item.itemId),
          item.index,
        );
        return;
      case "raw_reasoning_delta":
        if (!this.#emitsRawItems) return;
        task.emit(
          { type: "agent_reasoning_raw_content_delta", delta: item.delta },
          this.#itemEvents.idOf(item.itemId),
          item.index,
        );
        return;
      case "reasoning_part":
        if (config.hide_agent_reasoning) return;
        task.emit(
          { type: "agent_reasoning_section_break" },
          this.#itemEvents.idOf(item.itemId),
          item.index,
        );
        return;
      case "accepted":
        tokens.setRateLimits(item.rateLimits);
        if (this.#tokenEvents === "before and after") this.#emitTokens();
        if (this.#tokenEvents === "at the end") task.onCutOff = () => this.#emitTokens();
        return;
      case "item_added":
        this.#itemEvents.add(item.item);
        this.#preview?.begin(item.item);
        if (startsCommand(item.item)) task.session.files?.expectCommand(task);
        if (item.item.type === "web_search_call") {
          task.emit({ type: "web_search_begin", call_id: item.item.id ?? "" }, item.item.id);
        }
        return;
      case "input_delta":
        this.#preview?.push(item.delta, item.itemId);
        return;
      case "item_done":
        this.#preview?.end(item.item);
        return this.#readItem(item.item);
      case "completed":
        this.#isComplete = true;
        this.#responseId = item.responseId;
        this.#goesOn = item.goesOn === true && task.session.parts.era.since["0.166"];
        this.#conversation.endResponse(item.responseId);
        tokens.add(item.usage);
        task.session.budget?.add(item.usage, this.#conversation.context.model);
        if (tokens !== task.session.tokens && item.usage !== undefined) {
          task.logSideUsage({ model: this.#conversation.context.model, usage: item.usage });
        }
        return;
      case "failed":
        this.#failure = item.failure;
        this.#isComplete = false;
        return;
      case "retrying":
        return this.#emitWaitNotice(item.failure, item.delayMs);
      case "created":
        return;
    }
  }

  /** Waits for the calls, records the items of the response, and returns its outcome. */
  async finish(): Promise<StepOutcome> {
    const task = this.#task;
    task.onCutOff = undefined;
    const isComplete = this.#isComplete;
    const emitsFirst =
      isComplete && task.session.parts.era.engine.callOrder === "after the response";
    if (emitsFirst) this.#emitTokens();
    else if (isComplete && this.#tokenEvents !== "before and after") {
      // A task that is aborted while its tools run has still paid for the response.
      task.onCutOff = () => this.#emitTokens();
    }
    const outputs = await this.#calls.outputs();
    task.onCutOff = undefined;
    const needsAnswer = outputs.size > 0 || this.#goesOn;
    const outcome = { needsAnswer, lastAgentMessage: this.#lastAgentMessage };
    if (this.#recordsImmediately && !this.#calls.recordsOutputs) {
      this.#conversation.record([...outputs.values()]);
    }
    // A broken response is dropped: the step is retried.
    if (!isComplete) return { ...outcome, failure: this.#failure ?? closedEarly() };

    if (!emitsFirst) this.#emitTokens();
    await task.emitTurnDiff();
    this.#conversation.record(this.#items.flatMap((item) => withOutput(item, outputs.get(item))));
    this.#conversation.bookmark(this.#responseId, [...outputs.values()]);
    return outcome;
  }

  get #emitsRawItems(): boolean {
    const { config, parts } = this.#task.session;
    return config.show_raw_agent_reasoning || parts.era.engine.rawReasoningEvents;
  }

  get #tokenEvents() {
    return this.#task.session.parts.era.engine.tokenCountEvents;
  }

  get #recordsImmediately(): boolean {
    return this.#task.session.parts.era.engine.recordsTasks;
  }

  /** Emits the token usage; not for a side conversation with its own meter. */
  #emitTokens(): void {
    const { tokens } = this.#conversation;
    if (tokens !== this.#task.session.tokens) return;
    this.#task.emit(tokens.event(this.#contextWindow));
  }

  get #contextWindow(): number | undefined {
    return this.#task.session.windowOf(this.#conversation.context);
  }

  #readItem(item: ResponseItem): Promise<void> | undefined {
    if (item.type === "other") return;
    if (item.type === "image_generation_call") return this.#readImage(item);
    this.#emitItem(item);
    return this.#take(item);
  }

  /** Saves a picture, so that its events have the path. */
  async #readImage(item: ImageGenerationCallItem): Promise<void> {
    const named = this.#itemEvents.named(item);
    if (named !== undefined) {
      const { saveGeneratedImage } = await import("./generated-image.js");
      this.#itemEvents.done(named, await saveGeneratedImage(this.#task, named));
    }
    await this.#take(item);
  }

  #take(item: ResponseItem): Promise<void> | undefined {
    if (this.#recordsImmediately) this.#conversation.record([item]);
    else this.#items.push(item);
    return this.#calls.start(item);
  }

  #emitWaitNotice(failure: ModelFailure, delayMs: number): undefined {
    const task = this.#task;
    // The reference retries a refused request without notice, however long that takes.
    if (!task.session.parts.era.since.current) return;
    const notice = waitNotice(failure, delayMs);
    if (notice !== undefined) task.emit(notice);
  }

  #emitText(delta: string, itemId: string | undefined): void {
    if (this.#plan !== undefined) this.#plan.push(delta, itemId);
    else this.#task.emit({ type: "agent_message_delta", delta }, this.#itemEvents.idOf(itemId));
  }

  /** Emits a message without its plans, which are separate items. */
  #emitMessage(text: string, itemId: string | undefined, phase: string | undefined): void {
    const message = this.#plan === undefined ? text : this.#plan.end(text, itemId);
    this.#lastAgentMessage = this.#plan !== undefined && message === "" ? undefined : message;
    const isPlanOnly = this.#plan !== undefined && message.trim() === "";
    if (this.#conversation.reports !== "messages" || isPlanOnly) return;
    this.#task.emit({ type: "agent_message", message, ...(phase && { phase }) }, itemId);
  }

  /** Emits the events of a complete item. */
  #emitItem(item: ResponseItem): void {
    const task = this.#task;
    const { config } = task.session;
    const id = this.#itemEvents.done(item);
    if (item.type === "message" && item.role === "assistant") {
      for (const part of item.content) {
        if (part.type !== "output_text") continue;
        this.#emitMessage(part.text, id ?? item.id, item.phase ?? undefined);
      }
    } else if (item.type === "reasoning") {
      if (!config.hide_agent_reasoning) {
        for (const part of item.summary) {
          task.emit({ type: "agent_reasoning", text: part.text }, id);
        }
      }
      if (config.show_raw_agent_reasoning) {
        for (const part of item.content ?? []) {
          task.emit({ type: "agent_reasoning_raw_content", text: part.text }, id);
        }
      }
    } else if (item.type === "web_search_call") {
      const { action } = item;
      if (!emitsWebSearch(item, task.session.parts.era.engine)) return;
      const query = webSearchQuery(action);
      const done = action == null ? {} : { action };
      task.emit({ type: "web_search_end", call_id: item.id ?? "", query, ...done }, item.id);
    }
  }
}

function previewsPatches({ session: { config, parts } }: Task): boolean {
  const isWanted = config.features.get("apply_patch_streaming_events") === true;
  return isWanted && parts.era.since["0.166"];
}

function withOutput(item: ResponseItem, output: ResponseItem | undefined): ResponseItem[] {
  return output === undefined ? [item] : [item, output];
}
