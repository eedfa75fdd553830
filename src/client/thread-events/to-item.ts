import type * as wire from "../../protocol/rpc/v2/item.js";
import type { TokenUsageBreakdown } from "../../protocol/rpc/v2/status.js";
import type { ThreadItem, Usage, WebSearchAction } from "./event.generated.js";

/** An item without its id, which the reader assigns. */
export type ItemDetails = ThreadItem extends infer Item
  ? Item extends ThreadItem
    ? Omit<Item, "id">
    : never
  : never;

/** Converts an item of v2; `undefined` if `exec --json` does not report it. */
export function toItemDetails(item: wire.ThreadItem): ItemDetails | undefined {
  switch (item.type) {
    case "agentMessage":
      return { type: "agent_message", text: item.text };
    case "reasoning":
      return toReasoning(item.summary.join("\n"));
    case "commandExecution":
      return {
        type: "command_execution",
        command: item.command,
        aggregated_output: item.aggregatedOutput ?? "",
        exit_code: item.exitCode ?? null,
        status: item.status === "inProgress" ? "in_progress" : item.status,
      };
    case "fileChange":
      return toFileChange(item);
    case "mcpToolCall":
      return toMcpToolCall(item);
    case "dynamicToolCall":
      return toToolCall(item);
    case "collabAgentToolCall":
      return toCollabCall(item);
    case "webSearch":
      return { type: "web_search", query: item.query, action: toAction(item.action) };
    case "imageGeneration": {
      const { status, revisedPrompt, savedPath = null } = item;
      return { type: "image_generation", status, revised_prompt: revisedPrompt, path: savedPath };
    }
    default:
      return undefined;
  }
}

/** Converts reasoning; `undefined` if it is empty. */
export function toReasoning(text: string): ItemDetails | undefined {
  return text.trim() === "" ? undefined : { type: "reasoning", text };
}

function toFileChange({ changes, status }: wire.FileChangeItem): ItemDetails {
  return {
    type: "file_change",
    changes: changes.map(({ path, kind }) => ({ path, kind: kind.type })),
    status:
      status === "inProgress" ? "in_progress" : status === "completed" ? "completed" : "failed",
  };
}

function toMcpToolCall(item: wire.McpToolCallItem): ItemDetails {
  const { server, tool, status, result, error } = item;
  return {
    type: "mcp_tool_call",
    server,
    tool,
    arguments: item.arguments,
    result:
      result == null
        ? null
        : {
            content: result.content,
            ...(result._meta == null ? {} : { _meta: result._meta }),
            structured_content: result.structuredContent ?? null,
          },
    error: error == null ? null : { message: error.message },
    status: status === "inProgress" ? "in_progress" : status,
  };
}

function toToolCall(item: wire.DynamicToolCallItem): ItemDetails {
  const { tool, status, contentItems } = item;
  const texts = contentItems?.map((part) => (part.type === "inputText" ? part.text : ""));
  return {
    type: "tool_call",
    tool,
    arguments: item.arguments,
    output: texts?.join("") ?? null,
    status: status === "inProgress" ? "in_progress" : status,
  };
}

function toCollabCall(item: wire.CollabAgentToolCallItem): ItemDetails {
  const { tool, senderThreadId, receiverThreadIds, prompt, agentsStates, status } = item;
  return {
    type: "collab_tool_call",
    tool: collabTools[tool],
    sender_thread_id: senderThreadId,
    receiver_thread_ids: receiverThreadIds,
    prompt,
    agents_states: agentsStates,
    status: status === "inProgress" ? "in_progress" : status,
  };
}

const collabTools = {
  spawnAgent: "spawn_agent",
  sendInput: "send_input",
  resumeAgent: "resume_agent",
  wait: "wait",
  closeAgent: "close_agent",
} as const;

function toAction(action: wire.WebSearchItem["action"]): WebSearchAction {
  switch (action?.type) {
    case "search":
      return {
        type: "search",
        ...(action.query == null ? {} : { query: action.query }),
        ...(action.queries == null ? {} : { queries: action.queries }),
      };
    case "openPage":
      return { type: "open_page", ...(action.url == null ? {} : { url: action.url }) };
    case "findInPage":
      return {
        type: "find_in_page",
        ...(action.url == null ? {} : { url: action.url }),
        ...(action.pattern == null ? {} : { pattern: action.pattern }),
      };
    default:
      return { type: "other" };
  }
}

/** Assigns ids to the reported items: `item_0`, `item_1` and so on. */
export class ItemIds {
  #ownSearchIds: boolean;
  #next = 0;
  #running = new Map<string, string>();

  /** With `ownSearchIds`, web searches keep the id of the model, but are counted. */
  constructor(ownSearchIds: boolean) {
    this.#ownSearchIds = ownSearchIds;
  }

  /** Returns the id of an item that is reported once. */
  next(): string {
    return `item_${this.#next++}`;
  }

  /** Returns the id of an item that starts or has started. */
  started(item: wire.ThreadItem): string {
    return this.#reportedId(item, this.running(item.id));
  }

  /** Returns the id of an item that has not completed, by its id in v2. */
  running(wireId: string): string {
    const id = this.#running.get(wireId) ?? this.next();
    this.#running.set(wireId, id);
    return id;
  }

  /** Returns the id of an item that is complete. */
  completed(item: wire.ThreadItem): string {
    const id = this.#running.get(item.id) ?? this.next();
    this.#running.delete(item.id);
    return this.#reportedId(item, id);
  }

  /** Forgets the items that did not complete. */
  clear(): void {
    this.#running.clear();
  }

  #reportedId(item: wire.ThreadItem, id: string): string {
    return this.#ownSearchIds && item.type === "webSearch" ? item.id : id;
  }
}

/** Converts the token usage of a thread. */
export function toUsage(total: TokenUsageBreakdown): Usage {
  return {
    input_tokens: total.inputTokens,
    cached_input_tokens: total.cachedInputTokens,
    cache_write_input_tokens: total.cacheWriteInputTokens ?? 0,
    output_tokens: total.outputTokens,
    reasoning_output_tokens: total.reasoningOutputTokens,
  };
}

/** Usage of a thread without a request. */
export const noUsage: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
};
