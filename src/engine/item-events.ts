import type { EngineBehavior } from "../compat/index.js";
import { eventsOfCompletedItem, eventsOfStartedItem } from "../protocol/legacy-events.js";
import type {
  ImageGenerationCallItem,
  ResponseItem,
  TurnItem,
  WebSearchCallItem,
} from "../protocol/types.js";
import { toTurnItem } from "../rollout/index.js";
import type { Conversation } from "./conversation.js";
import type { ItemPlace, Task } from "./task.js";

/**
 * Emits `item_started` and `item_completed` for the items of a response.
 *
 * An item starts when the model announces it, at the latest with its first delta.
 */
export class ItemEvents {
  #task: Task;
  #isReported: (item: ResponseItem) => boolean;
  #place: ItemPlace;
  /** False if only the start of messages is reported. */
  #completes: boolean;
  /** The item that has begun and is not complete. */
  #openId: string | undefined;

  constructor(task: Task, conversation: Conversation) {
    this.#task = task;
    const { id, turnId } = conversation;
    this.#place = { ...(id && { threadId: id }), ...(turnId && { turnId }) };
    this.#completes = conversation.reports !== "beginnings";
    const { config, parts } = task.session;
    // In plan mode a message may consist of nothing but a plan, so it starts with its text.
    const isPlanning = conversation.context.collaboration_mode?.mode === "plan";
    this.#isReported = (item) => {
      if (item.type === "reasoning") return !config.hide_agent_reasoning;
      if (item.type === "message") return conversation.reports !== "nothing" && !isPlanning;
      if (item.type === "image_generation_call") {
        return conversation.reports === "messages" && parts.era.since["0.166"];
      }
      return item.type === "web_search_call" && emitsWebSearch(item, parts.era.engine);
    };
  }

  /** Id for events about a part of an item. */
  idOf(itemId: string | undefined): string | undefined {
    return itemId ?? this.#openId;
  }

  /** Called when the model starts an item. */
  add(item: ResponseItem): void {
    if (!this.#isReported(item)) return;
    this.start(this.#beginningOf(item, this.#nameOf(item)));
  }

  /** Emits `item_started`, once per item. */
  start(item: TurnItem | undefined): void {
    if (item === undefined || item.id === this.#openId) return;
    this.#openId = item.id;
    this.#emit("item_started", item);
  }

  /** Emits `item_completed`; the item must have started. */
  complete(item: TurnItem): void {
    this.#openId = undefined;
    this.#emit("item_completed", item);
  }

  /** Returns the picture with an id for its events; undefined if it is not reported. */
  named(item: ImageGenerationCallItem): (ImageGenerationCallItem & { id: string }) | undefined {
    return this.#isReported(item) ? { ...item, id: this.#nameOf(item) } : undefined;
  }

  /** Emits the end of an item, and its start if needed; returns its id. */
  done(item: ResponseItem, savedPath?: string): string | undefined {
    if (!this.#isReported(item)) return undefined;
    const id = this.#nameOf(item);
    const { config, parts } = this.#task.session;
    const emitsRawItems = config.show_raw_agent_reasoning || parts.era.engine.rawReasoningEvents;
    const complete = completeItem(item, id, emitsRawItems);
    if (complete === undefined) return undefined;
    this.start(this.#beginningOf(item, id));
    const isSaved = complete.type === "ImageGeneration" && savedPath !== undefined;
    if (this.#completes) this.complete(isSaved ? { ...complete, saved_path: savedPath } : complete);
    return id;
  }

  #beginningOf(item: ResponseItem, id: string): TurnItem | undefined {
    const { webSearchEvents } = this.#task.session.parts.era.engine;
    const isKnown = item.type === "web_search_call" && webSearchEvents === "all as known";
    return isKnown ? toTurnItem(item, id) : emptyItem(item, id);
  }

  #nameOf(item: ResponseItem): string {
    const id = "id" in item && typeof item.id === "string" ? item.id : this.#openId;
    return id ?? this.#task.session.parts.newId();
  }

  #emit(type: "item_started" | "item_completed", item: TurnItem): void {
    this.#task.emitItem(type, item, this.#place);
    if (item.type !== "ImageGeneration") return;
    const events =
      type === "item_started"
        ? eventsOfStartedItem(item)
        : eventsOfCompletedItem(item, { showRawReasoning: false });
    for (const msg of events) this.#task.emit(msg, item.id);
  }
}

/** Returns an item with an id and no content yet. */
function emptyItem(item: ResponseItem, id: string): TurnItem | undefined {
  switch (item.type) {
    case "message":
      if (item.role !== "assistant") return undefined;
      return {
        type: "AgentMessage",
        id,
        content: [],
        ...(item.phase == null ? {} : { phase: item.phase }),
      };
    case "reasoning":
      return { type: "Reasoning", id, summary_text: [], raw_content: [] };
    case "web_search_call":
      return { type: "WebSearch", id, query: "", action: { type: "other" } };
    case "image_generation_call": {
      const { revised_prompt = null } = item;
      return { type: "ImageGeneration", id, status: "in_progress", revised_prompt, result: "" };
    }
    default:
      return undefined;
  }
}

function completeItem(item: ResponseItem, id: string, raw: boolean): TurnItem | undefined {
  if (item.type === "message" && item.role !== "assistant") return undefined;
  const complete = toTurnItem(item, id);
  return complete?.type === "Reasoning" && !raw ? { ...complete, raw_content: [] } : complete;
}

/** Returns true if a web search of the model is reported to clients. */
export function emitsWebSearch(
  { action }: WebSearchCallItem,
  { webSearchEvents }: Pick<EngineBehavior, "webSearchEvents">,
): boolean {
  return (
    webSearchEvents !== "searches" || (action?.type === "search" && action.query !== undefined)
  );
}
