import type {
  ContentItem,
  InputItem,
  ResponseItem,
  TurnItem,
  WebSearchAction,
} from "../../protocol/types.js";
import { isUserMessage } from "./message-kind.js";

/**
 * What clients are shown of an item of the conversation; nothing for what the engine put there.
 *
 * `id` is used for an item that the model gave none.
 */
export function toTurnItem(item: ResponseItem, id: string): TurnItem | undefined {
  switch (item.type) {
    case "message":
      if (isUserMessage(item)) {
        return { type: "UserMessage", id: item.id ?? id, content: toInput(item.content) };
      }
      if (item.role !== "assistant") return undefined;
      return {
        type: "AgentMessage",
        id: item.id ?? id,
        content: toAgentText(item.content),
        ...(item.phase == null ? {} : { phase: item.phase }),
      };
    case "reasoning":
      return {
        type: "Reasoning",
        id: item.id ?? id,
        summary_text: item.summary.map(({ text }) => text),
        raw_content: (item.content ?? []).map(({ text }) => text),
      };
    case "web_search_call":
      return {
        type: "WebSearch",
        id: item.id ?? id,
        query: webSearchQuery(item.action),
        action: item.action ?? { type: "other" },
      };
    default:
      return undefined;
  }
}

/** The text of a message of the user, as it stands in lists of conversations. */
export function userText(content: readonly ContentItem[]): string {
  return toInput(content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

/** What the model did on the web, in a few words. */
export function webSearchQuery(action: WebSearchAction | undefined): string {
  switch (action?.type) {
    case "search": {
      if (action.query) return action.query;
      const [first = "", ...others] = action.queries ?? [];
      return first !== "" && others.length > 0 ? `${first} ...` : first;
    }
    case "open_page":
      return action.url ?? "";
    case "find_in_page":
      if (action.pattern == null) return action.url ?? "";
      return action.url == null ? `'${action.pattern}'` : `'${action.pattern}' in ${action.url}`;
    default:
      return "";
  }
}

/** The tags that the engine puts around a picture are left out. */
function toInput(content: readonly ContentItem[]): InputItem[] {
  return content.flatMap((part, index): InputItem[] => {
    if (part.type === "input_image") return [{ type: "image", image_url: part.image_url }];
    if (part.type === "output_text") return [];
    const opens = isImageOpening(part.text) && content[index + 1]?.type === "input_image";
    const closes = part.text === "</image>" && content[index - 1]?.type === "input_image";
    return opens || closes ? [] : [{ type: "text", text: part.text }];
  });
}

function isImageOpening(text: string): boolean {
  return text === "<image>" || (text.startsWith("<image name=") && text.endsWith(">"));
}

function toAgentText(content: readonly ContentItem[]): { type: "Text"; text: string }[] {
  return content.flatMap((part) =>
    part.type === "output_text" ? [{ type: "Text" as const, text: part.text }] : [],
  );
}
