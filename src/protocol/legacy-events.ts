import type { TurnItem } from "./sqeq/events/item.js";
import type { EventMsg } from "./sqeq/events.generated.js";

/** Returns the events that older clients receive when an item starts. */
export function eventsOfStartedItem(item: TurnItem): EventMsg[] {
  if (item.type === "WebSearch") return [{ type: "web_search_begin", call_id: item.id }];
  if (item.type !== "ImageGeneration") return [];
  return [{ type: "image_generation_begin", call_id: item.id }];
}

/** Returns the events that older clients receive when an item is complete. */
export function eventsOfCompletedItem(
  item: TurnItem,
  options: { showRawReasoning: boolean },
): EventMsg[] {
  switch (item.type) {
    case "UserMessage":
      return [toUserMessage(item.content)];
    case "AgentMessage":
      return item.content.map(({ text }) => ({ type: "agent_message", message: text }));
    case "Reasoning":
      return [
        ...item.summary_text.map((text): EventMsg => ({ type: "agent_reasoning", text })),
        ...(options.showRawReasoning ? (item.raw_content ?? []) : []).map(
          (text): EventMsg => ({ type: "agent_reasoning_raw_content", text }),
        ),
      ];
    case "WebSearch":
      return [
        {
          type: "web_search_end",
          call_id: item.id,
          query: item.query,
          ...(item.action && { action: item.action }),
        },
      ];
    case "ImageGeneration": {
      const { type: _, id, ...image } = item;
      return [{ type: "image_generation_end", call_id: id, ...image }];
    }
    case "ContextCompaction":
      return [{ type: "context_compacted" }];
    case "AnsweredQuestions":
    case "CollabAgentToolCall":
    case "FunctionCallOutput":
    case "HookPrompt":
    case "Plan":
    case "Sleep":
    case "SubAgentActivity":
      return [];
  }
}

/** Joins the text parts and shifts the byte ranges of their elements. */
function toUserMessage(content: Extract<TurnItem, { type: "UserMessage" }>["content"]): EventMsg {
  const msg = {
    type: "user_message" as const,
    message: "",
    images: [] as string[],
    local_images: [] as string[],
    text_elements: [] as NonNullable<
      Extract<(typeof content)[number], { type: "text" }>["text_elements"]
    >,
  };
  for (const item of content) {
    if (item.type === "image") msg.images.push(item.image_url);
    if (item.type === "local_image") msg.local_images.push(item.path);
    if (item.type !== "text") continue;
    const shift = new TextEncoder().encode(msg.message).length;
    for (const element of item.text_elements ?? []) {
      const { start, end } = element.byte_range;
      msg.text_elements.push({
        ...element,
        byte_range: { start: start + shift, end: end + shift },
      });
    }
    msg.message += item.text;
  }
  return msg;
}
