import type {
  ContentItem,
  InputItem,
  MessageItem,
  ResponseItem,
  TurnItem,
  UserMessageEvent,
  UserMessageKind,
  WebSearchAction,
} from "../../protocol/types.js";

/** Whether the user wrote a text, or the engine put it in front of the conversation. */
export function messageKind(text: string): UserMessageKind {
  const trimmed = text.trim().toLowerCase();
  if (isWrapped(trimmed, "environment_context")) return "environment_context";
  return isWrapped(trimmed, "user_instructions") ? "user_instructions" : "plain";
}

/**
 * Whether an item is a message that the user really sent.
 *
 * The engine speaks to the model in messages of the same role: instructions, the environment,
 * skills, commands the user ran, marks of aborted turns. They open no turn of the user's.
 */
export function isUserMessage(item: ResponseItem): item is MessageItem & { role: "user" } {
  if (item.type !== "message" || item.role !== "user") return false;
  const [only] = item.content;
  if (item.content.length === 1 && only?.type === "input_text" && isInstruction(only.text)) {
    return false;
  }
  return !item.content.some((part) => part.type !== "input_image" && isSessionPrefix(part.text));
}

/** Whether a text is one that the engine puts into the conversation, by how it begins. */
function isSessionPrefix(text: string): boolean {
  return /^\s*<(?:environment_context|turn_aborted|user_shell_command)>/i.test(text);
}

/** Instructions count only as a whole message: a user may well quote them in a longer one. */
function isInstruction(text: string): boolean {
  return /^\s*(?:<user_instructions>|<skill[\s>]|# AGENTS\.md instructions for )/i.test(text);
}

function isWrapped(text: string, tag: string): boolean {
  return text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`);
}

/** Whether an item belongs to the conversation with the model: not system messages, nor unknown kinds. */
export function isKeptItem(item: ResponseItem): boolean {
  if (item.type === "message") return item.role !== "system";
  return item.type !== "other";
}

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

/** What the user sent, as far as the event about it tells. */
export function inputOfEvent(msg: UserMessageEvent): InputItem[] {
  const { message, images, local_images, text_elements, mentions } = msg;
  const input: InputItem[] = [];
  if (message.trim() !== "") {
    input.push({ type: "text", text: message, text_elements: text_elements ?? [] });
  }
  for (const url of images ?? []) input.push({ type: "image", image_url: url });
  for (const path of local_images ?? []) input.push({ type: "local_image", path });
  return [...input, ...(mentions ?? [])];
}
