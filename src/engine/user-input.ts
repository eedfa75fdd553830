import { readFile, stat } from "node:fs/promises";
import { toImageDataUrl } from "../lib/image-data-url.js";
import type { ContentItem, InputItem, ResponseItem, UserMessageEvent } from "../protocol/types.js";

/** The user's input as the message that goes to the model; local files are read now. */
export async function toUserMessage(items: readonly InputItem[]): Promise<ResponseItem> {
  const content = await Promise.all(items.map(toContent));
  return { type: "message", role: "user", content: content.flat() };
}

/** The event that echoes what went to the model. */
export function toUserMessageEvent(message: ResponseItem): UserMessageEvent {
  const content = message.type === "message" ? message.content : [];
  const text = content.map((part) => ("text" in part ? part.text : "")).join("");
  const images = content.flatMap((part) => (part.type === "input_image" ? [part.image_url] : []));
  const event: UserMessageEvent = { type: "user_message", message: text, kind: kindOf(content) };
  return images.length === 0 ? event : { ...event, images };
}

/** Input without anything in it asks nothing of the model. */
export function isEmptyInput(items: readonly InputItem[]): boolean {
  return items.length === 0;
}

async function toContent(item: InputItem): Promise<ContentItem[]> {
  switch (item.type) {
    case "text":
      return [{ type: "input_text", text: item.text }];
    case "image":
      return [{ type: "input_image", image_url: item.image_url }];
    case "local_image":
      return [await localImage(item.path)];
    default:
      // Skills and mentions name things; what they add to the conversation is put in by their owners.
      return [];
  }
}

/** A picture that cannot be sent is said in words, so that the rest of the input still goes. */
async function localImage(path: string): Promise<ContentItem> {
  const problem = (reason: string): ContentItem => ({
    type: "input_text",
    text: `Codex could not read the local image at \`${path}\`: ${reason}`,
  });
  try {
    const { size } = await stat(path);
    if (size > maxImageBytes) return problem(`it is larger than ${maxImageBytes / 1024 / 1024} MiB`);
    const url = toImageDataUrl(await readFile(path));
    return url === undefined ? problem("it is not an image") : { type: "input_image", image_url: url };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

const maxImageBytes = 20 * 1024 * 1024;

function kindOf(content: readonly ContentItem[]): NonNullable<UserMessageEvent["kind"]> {
  const first = content[0];
  const text = first !== undefined && "text" in first ? first.text.trimStart() : "";
  if (text.startsWith("<environment_context>")) return "environment_context";
  if (text.startsWith("<user_instructions>")) return "user_instructions";
  return "plain";
}
