import { byteLength, splitText } from "../../lib/text.js";
import type { ContentItem, MessageItem, ResponseItem } from "../../protocol/types.js";
import { isUserMessage, userText } from "./response-item.js";

/**
 * How a summary stands in the conversation that follows it.
 *
 * `bridge`: one message holds all former messages of the user and the summary, as versions up to
 * 0.53 have it. `messages`: the former messages stay messages, and the summary is one more.
 */
export type CompactionForm = "bridge" | "messages";

/** What a compacted conversation is made of. */
export interface CompactedParts {
  form: CompactionForm;
  /** What the engine says before the first message of the user. */
  initialContext: readonly ResponseItem[];
  /** The former messages of the user, oldest first. */
  userMessages: readonly string[];
  summary: string;
}

/** The conversation that takes the place of a longer one. */
export function toCompactedItems(parts: CompactedParts, maxTokens = 20_000): ResponseItem[] {
  const summary = parts.summary === "" ? "(no summary available)" : parts.summary;
  const texts =
    parts.form === "bridge"
      ? [bridge(parts.userMessages, summary)]
      : [...newestWithin(parts.userMessages, maxTokens), summary];
  return [...parts.initialContext, ...texts.map(userMessage)];
}

/**
 * The texts of the messages the user sent, as the form keeps them.
 *
 * `summaries` are those that only look so. Where messages stay messages, the marks of aborted turns
 * stay with them: the model is to know that something was not finished.
 */
export function collectUserMessages(
  items: readonly ResponseItem[],
  form: CompactionForm,
  summaries: ReadonlySet<string> = new Set(),
): string[] {
  return items.flatMap((item) => {
    if (item.type !== "message") return [];
    const isKept = isUserMessage(item) || (form === "messages" && isAbortMark(item));
    const text = form === "bridge" ? contentText(item.content) : userText(item.content);
    return isKept && text !== "" && !summaries.has(text) ? [text] : [];
  });
}

/** The parts of a message that are text and not empty, one below the other. */
export function contentText(content: readonly ContentItem[]): string {
  return content
    .flatMap((part) => (part.type === "input_image" || part.text === "" ? [] : [part.text]))
    .join("\n");
}

/** What the engine said before the first message of the user. */
export function initialContextOf(items: readonly ResponseItem[]): ResponseItem[] {
  const first = items.findIndex(isUserMessage);
  return first < 0 ? [...items] : items.slice(0, first);
}

function isAbortMark({ role, content }: MessageItem): boolean {
  return role === "user" && /^\s*<turn_aborted>/i.test(contentText(content));
}

function bridge(userMessages: readonly string[], summary: string): string {
  const messages = userMessages.length === 0 ? "(none)" : userMessages.join("\n\n");
  return [
    "The conversation so far has been replaced by this note.",
    `What the user wrote:\n\n${messages}`,
    `What has been done, as its summary says:\n\n${summary}`,
  ].join("\n\n");
}

/** As many of the newest messages as fit; the one over the edge loses its middle. */
function newestWithin(messages: readonly string[], maxTokens: number): string[] {
  const kept: string[] = [];
  let left = maxTokens;
  for (const message of messages.toReversed()) {
    if (left <= 0) break;
    const tokens = approximateTokens(byteLength(message));
    kept.push(tokens <= left ? message : withoutMiddle(message, left));
    left -= tokens;
  }
  return kept.reverse();
}

function withoutMiddle(text: string, maxTokens: number): string {
  const half = maxTokens * 2;
  const { head, tail } = splitText(text, half, half);
  const removed = byteLength(text) - byteLength(head) - byteLength(tail);
  return `${head}…${approximateTokens(removed)} tokens truncated…${tail}`;
}

/** A token is taken for four bytes. */
function approximateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
