import type {
  AgentMessageItem,
  MessagePhase,
  ThreadItem,
  WebSearchItem,
} from "../../../protocol/rpc/v2/item.js";
import type { WebSearchAction } from "../../../protocol/rpc/v2/item-parts.js";
import type { AgentMessageTurnItem, TurnItem } from "../../../protocol/types.js";
import { toUserMessageItem } from "./user-message.js";

/** An item of the engine as v2 writes it. */
export function toThreadItem(item: TurnItem): ThreadItem {
  const { id } = item;
  switch (item.type) {
    case "UserMessage":
      return toUserMessageItem(id, item.content);
    case "AgentMessage":
      return toAgentMessageItem(item);
    case "Plan":
      return { type: "plan", id, text: item.text };
    case "Reasoning":
      return { type: "reasoning", id, summary: item.summary_text, content: item.raw_content ?? [] };
    case "WebSearch":
      return toWebSearchItem(id, item.query, item.action);
    case "ContextCompaction":
      return { type: "contextCompaction", id };
  }
}

const phases: readonly MessagePhase[] = ["commentary", "partial_answer", "final_answer"];

/** A message of the model. */
function toAgentMessageItem({ id, content, phase }: AgentMessageTurnItem): AgentMessageItem {
  return {
    type: "agentMessage",
    id,
    text: content.map(({ text }) => text).join(""),
    phase: phases.find((known) => known === phase) ?? null,
    memoryCitation: null,
    delivery: null,
    questions: null,
  };
}

type EngineAction = Extract<TurnItem, { type: "WebSearch" }>["action"];

/** A web search of the model. */
export function toWebSearchItem(id: string, query: string, action: EngineAction): WebSearchItem {
  return { type: "webSearch", id, query, action: toAction(action), results: null };
}

function toAction(action: EngineAction): WebSearchAction | null {
  switch (action?.type) {
    case undefined:
      return null;
    case "search":
      return { type: "search", query: action.query ?? null, queries: action.queries ?? null };
    case "open_page":
      return { type: "openPage", url: action.url ?? null };
    case "find_in_page":
      return { type: "findInPage", url: action.url ?? null, pattern: action.pattern ?? null };
    default:
      return { type: "other" };
  }
}
