import type { EngineBehavior } from "../compat/index.js";
import { readImage } from "../lib/image.js";
import { mediaTypeOf } from "../lib/media-type.js";
import type {
  AdditionalContext,
  ContentItem,
  InputItem,
  Mention,
  ResponseItem,
  TextElement,
  UserMessageEvent,
} from "../protocol/types.js";
import type { ReadGuard } from "../sandbox/index.js";

/**
 * The user's input as the message that goes to the model; local files are read now, if the guard
 * permits that.
 */
export async function toUserMessage(
  items: readonly InputItem[],
  behavior: EngineBehavior,
  guard?: ReadGuard,
): Promise<ResponseItem> {
  const pictures = items.filter(({ type }) => type === "image" || type === "local_image");
  const numberOf = (item: InputItem) => pictures.indexOf(item) + 1;
  const content = await Promise.all(
    items.map(async (item) => {
      const parts = await toContent(item, behavior, guard);
      return behavior.contextForm === "2025" ? parts : marked(parts, item, numberOf(item));
    }),
  );
  return { type: "message", role: "user", content: content.flat() };
}

/** Returns the event that echoes the user's message to clients. */
export function toUserMessageEvent(
  message: ResponseItem,
  items: readonly InputItem[],
  { userMessageFields }: EngineBehavior,
): UserMessageEvent {
  if (userMessageFields === "elements") return toMessageOfElements(items);
  const content = message.type === "message" ? message.content : [];
  const text = content.map((part) => ("text" in part ? part.text : "")).join("");
  const images = content.flatMap((part) => (part.type === "input_image" ? [part.image_url] : []));
  const event: UserMessageEvent = {
    type: "user_message",
    message: text,
    kind: kindOf(content),
    ...(images.length === 0 ? {} : { images }),
  };
  return userMessageFields === "kind" ? event : { ...event, ...marksOf(content, items) };
}

/** Returns the text elements and mentions of a message, without empty lists. */
function marksOf(
  content: readonly ContentItem[],
  items: readonly InputItem[],
): Pick<UserMessageEvent, "text_elements" | "mentions"> {
  const texts = content.flatMap((part) => ("text" in part ? [part.text] : []));
  const text_elements = elementsIn(texts, items);
  const mentions = items.filter(isMention);
  return {
    ...(text_elements.length === 0 ? {} : { text_elements }),
    ...(mentions.length === 0 ? {} : { mentions }),
  };
}

/** The elements of all texts, with their places in the text that these make together. */
function elementsIn(texts: readonly string[], items: readonly InputItem[]): TextElement[] {
  const waiting = items.filter((item) => item.type === "text");
  const elements: TextElement[] = [];
  let offset = 0;
  for (const text of texts) {
    // Texts that are not the user's, such as about an unreadable image, may lie between.
    const own = waiting[0]?.text === text ? waiting.shift() : undefined;
    for (const { byte_range, ...element } of own?.text_elements ?? []) {
      const range = { start: byte_range.start + offset, end: byte_range.end + offset };
      elements.push({ ...element, byte_range: range });
    }
    offset += Buffer.byteLength(text);
  }
  return elements;
}

function isMention(item: InputItem): item is Mention {
  return item.type === "skill" || item.type === "mention";
}

/** The user's own text and images, without content added for the model. */
function toMessageOfElements(items: readonly InputItem[]): UserMessageEvent {
  const texts = items.flatMap((item) => (item.type === "text" ? [item] : []));
  return {
    type: "user_message",
    message: texts.map(({ text }) => text).join(""),
    images: items.flatMap((item) => (item.type === "image" ? [item.image_url] : [])),
    local_images: items.flatMap((item) => (item.type === "local_image" ? [item.path] : [])),
    text_elements: elementsIn(
      texts.map(({ text }) => text),
      texts,
    ),
  };
}

/** Input without anything in it asks nothing of the model. */
export function isEmptyInput(items: readonly InputItem[]): boolean {
  return items.length === 0;
}

async function toContent(
  item: InputItem,
  behavior: EngineBehavior,
  guard: ReadGuard | undefined,
): Promise<ContentItem[]> {
  switch (item.type) {
    case "text":
      return [{ type: "input_text", text: item.text }];
    case "image":
      return [{ type: "input_image", image_url: item.image_url }];
    case "local_image":
      return localImage(item, behavior, guard);
    default:
      // Skills and mentions only name things; `addSkills` and `addMentions` add their content.
      return [];
  }
}

/** Wraps an image in tags, so that the user's text can refer to it. */
function marked(parts: ContentItem[], { type }: InputItem, number: number): ContentItem[] {
  if (parts[0]?.type !== "input_image") return parts;
  const begin = type === "image" ? "<image>" : `<image name=[Image #${number}]>`;
  return [{ type: "input_text", text: begin }, ...parts, { type: "input_text", text: "</image>" }];
}

/** Reads an image; one that cannot be read becomes a text, so that the rest of the input is still sent. */
async function localImage(
  { path, detail }: Extract<InputItem, { type: "local_image" }>,
  behavior: EngineBehavior,
  guard: ReadGuard | undefined,
): Promise<ContentItem[]> {
  const image = await readImage(path, guard?.mayRead);
  if (image.url !== undefined) {
    const how = detail === undefined ? {} : { detail };
    return [{ type: "input_image", image_url: image.url, ...how }];
  }
  const form = behavior.invalidImageNote;
  if (form === "left out") return [];
  const text = image.foreign
    ? notAnImage(path, form)
    : `Codex could not read the local image at \`${path}\`: ${image.problem}`;
  return [{ type: "input_text", text }];
}

/** Names the type that the file has by its name, since its content is none that can be sent. */
function notAnImage(path: string, form: "image format" | "image"): string {
  const type = mediaTypeOf(path);
  if (form === "image format" && !type?.startsWith("image/")) {
    const named = type === undefined ? "(unknown)" : `\`${type}\``;
    return `Codex could not read the local image at \`${path}\`: unsupported MIME type ${named}`;
  }
  return `Codex cannot attach image at \`${path}\`: unsupported ${form} \`${type ?? "unknown"}\`.`;
}

function kindOf(content: readonly ContentItem[]): NonNullable<UserMessageEvent["kind"]> {
  const first = content[0];
  const text = first !== undefined && "text" in first ? first.text.trimStart().toLowerCase() : "";
  if (text.startsWith("<environment_context>")) return "environment_context";
  if (text.startsWith("<user_instructions>")) return "user_instructions";
  return "plain";
}

/** A message with one text, as the user's side of the conversation. */
export function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** A message of ours to the model, in one part or several. */
export function developerMessage(...texts: string[]): ResponseItem {
  const content = texts.map((text) => ({ type: "input_text" as const, text }));
  return { type: "message", role: "developer", content };
}

/**
 * Returns the messages with context that a client adds to a user's message.
 *
 * The tags show the model where a text is from, so a text cannot end its own tag.
 */
export function contextMessages(
  entries: readonly AdditionalContext[] | null | undefined,
): ResponseItem[] {
  return (entries ?? []).map(({ key, value, kind }) => {
    const tag = kind === "untrusted" ? `external_${key}` : key;
    const text = `<${tag}>${value.replaceAll(`</${tag}>`, `<\\/${tag}>`)}</${tag}>`;
    return kind === "untrusted" ? userMessage(text) : developerMessage(text);
  });
}
