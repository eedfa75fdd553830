import type {
  AgentMessageEvent,
  AgentMessageTurnItem,
  ContentItem,
  InputItem,
  MessageItem,
  ResponseItem,
  TurnItem,
  UserMessageEvent,
  UserMessageKind,
  WebSearchAction,
} from "../../protocol/types.js";

/** Classifies a user message: typed by the user, or added by the engine as context. */
export function messageKind(text: string): UserMessageKind {
  const trimmed = text.trim().toLowerCase();
  if (isWrapped(trimmed, "environment_context")) return "environment_context";
  return isWrapped(trimmed, "user_instructions") ? "user_instructions" : "plain";
}

/**
 * Returns true for a message that the user sent.
 *
 * The engine uses the same role for instructions, environment, skills, user shell commands and
 * marks of aborted turns. Those do not start a turn.
 */
export function isUserMessage(item: ResponseItem): item is MessageItem & { role: "user" } {
  if (item.type !== "message" || item.role !== "user") return false;
  const [only] = item.content;
  if (item.content.length === 1 && only?.type === "input_text" && isInstruction(only.text)) {
    return false;
  }
  return !item.content.some((part) => part.type !== "input_image" && isSessionPrefix(part.text));
}

/** Returns true if a text starts like one that the engine adds. */
function isSessionPrefix(text: string): boolean {
  return /^\s*<(?:(?:environment_context|turn_aborted|user_shell_command)>|(?:hook_prompt|codex_internal_context)[\s>])/i.test(
    text,
  );
}

/** Only a whole message counts as instructions: a user may quote them in a longer one. */
function isInstruction(text: string): boolean {
  return /^\s*(?:<user_instructions>|<skill[\s>]|# AGENTS\.md instructions for )/i.test(text);
}

function isWrapped(text: string, tag: string): boolean {
  return text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`);
}

/** Returns true for items of the conversation: no system messages, no unknown types. */
export function isHistoryItem(item: ResponseItem): boolean {
  if (item.type === "message") return item.role !== "system";
  return item.type !== "other";
}

/**
 * Converts a response item to the item clients are shown; undefined for context the engine added.
 *
 * `id` is used if the model sent none.
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
    case "image_generation_call": {
      const { status, revised_prompt = null, result } = item;
      return { type: "ImageGeneration", id: item.id ?? id, status, revised_prompt, result };
    }
    default:
      return undefined;
  }
}

/** Returns the text of a user message, as shown in lists. */
export function userText(content: readonly ContentItem[]): string {
  return toInput(content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

/** Describes a web search action briefly. */
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

/** Omits the tags that the engine adds around images. */
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

/** Returns the input that a user message event describes. */
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

/** Returns the fields of a recorded message besides its text. */
export function messageFacts(
  msg: AgentMessageEvent,
): Pick<AgentMessageTurnItem, "phase" | "delivery" | "questions"> {
  const { phase, delivery, questions } = msg;
  return {
    ...(phase == null ? {} : { phase }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(questions === undefined ? {} : { questions }),
  };
}
