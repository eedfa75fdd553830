import { byteLength, splitText } from "../../lib/text.js";
import { toolOutputText } from "../../protocol/tool-output-text.js";
import type { ContentItem, MessageItem, ResponseItem } from "../../protocol/types.js";
import { isUserMessage, userText } from "./response-item.js";

/**
 * Format of a compacted conversation.
 *
 * `bridge`: one message contains all former user messages and the summary (versions up to 0.53).
 * `messages`: the former messages are retained, followed by the summary.
 */
export type CompactionForm = "bridge" | "messages";

/** Parts of a compacted conversation. */
export interface CompactedParts {
  form: CompactionForm;
  /** Items that the engine adds before the first user message. */
  initialContext: readonly ResponseItem[];
  /** Former user messages, oldest first. */
  userMessages: readonly string[];
  summary: string;
}

/** Returns the items that replace a longer conversation. */
export function toCompactedItems(parts: CompactedParts, maxTokens = 20_000): ResponseItem[] {
  const summary = parts.summary === "" ? "(no summary available)" : parts.summary;
  const texts =
    parts.form === "bridge"
      ? [bridge(parts.userMessages, summary)]
      : [...newestWithin(parts.userMessages, maxTokens), summary];
  return [...parts.initialContext, ...texts.map(userMessage)];
}

/**
 * Returns the texts of the user messages that the format retains.
 *
 * `summaries` are texts to skip: earlier summaries look like user messages. The `messages` format
 * also retains marks of aborted turns, so that the model knows something is unfinished.
 */
export function collectUserMessages(
  items: readonly ResponseItem[],
  form: CompactionForm,
  summaries: ReadonlySet<string> = new Set(),
): string[] {
  return items.flatMap((item) => {
    if (item.type === "function_call_output" && item.retain) return toolOutputText(item) ?? [];
    if (item.type !== "message") return [];
    const isKept = isUserMessage(item) || (form === "messages" && isAbortMark(item));
    const text = form === "bridge" ? contentText(item.content) : userText(item.content);
    return isKept && text !== "" && !summaries.has(text) ? [text] : [];
  });
}

/** Joins the non-empty text parts of a message with newlines. */
export function contentText(content: readonly ContentItem[]): string {
  return content
    .flatMap((part) => (part.type === "input_image" || part.text === "" ? [] : [part.text]))
    .join("\n");
}

/** Returns the items before the first user message. */
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

/** Returns the newest messages within the limit; the oldest of them is cut in the middle. */
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

/** Estimates four bytes per token. */
function approximateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
