import { truncateText } from "../../exec/index.js";
import type { ContentItem, ResponseItem } from "../../protocol/types.js";
import { userMessage } from "../environment-context.js";
import bridgeText from "../prompts/compact-bridge.md";
import summaryPrefix from "../prompts/compact-prefix.md";
import type { Session } from "../session.js";
import { isSessionPrefix } from "../session-prefix.js";

/** The conversation after a summary: what every session starts with, and what is known of the past. */
export function compactedHistory(
  session: Session,
  items: readonly ResponseItem[],
  summary: string,
): ResponseItem[] {
  const messages = collectUserMessages(items);
  const past =
    session.parts.era.engine.compactedForm === "one message"
      ? [bridgeMessage(messages, summary)]
      : keptMessages(messages, `${summaryPrefix.trimEnd()}\n${summary}`);
  return [...session.initialContext(), ...past];
}

/** What the user really said, in order. */
export function collectUserMessages(items: readonly ResponseItem[]): string[] {
  return items
    .flatMap((item) => (item.type === "message" && item.role === "user" ? [item.content] : []))
    .map(contentText)
    .filter((text) => text !== "" && !isSessionPrefix(text) && !isSummary(text));
}

/** The texts of a message, one below the other; parts without text do not count. */
export function contentText(content: readonly ContentItem[]): string {
  return content
    .map((part) => ("text" in part ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** The user's messages as they were, newest first within the budget, and the summary behind them. */
export function keptMessages(
  messages: readonly string[],
  summary: string,
  maxTokens = userMessageTokens,
): ResponseItem[] {
  const kept: string[] = [];
  let left = maxTokens;
  for (const message of messages.toReversed()) {
    if (left <= 0) break;
    const tokens = Math.ceil(Buffer.byteLength(message) / bytesPerToken);
    kept.unshift(tokens <= left ? message : truncateText(message, { mode: "tokens", limit: left }));
    left -= tokens;
  }
  const last = summary.trim() === "" ? noSummary : summary;
  return [...kept, last].map(userMessage);
}

const userMessageTokens = 20_000;
const bytesPerToken = 4;
const noSummary = "(no summary available)";

function bridgeMessage(messages: readonly string[], summary: string): ResponseItem {
  const said = messages.length === 0 ? "(none)" : messages.join("\n\n");
  const text = bridgeText
    .replace("{{user_messages}}", () => said)
    .replace("{{summary}}", () => (summary === "" ? noSummary : summary));
  return userMessage(text.trimEnd());
}

/** A summary of an earlier compaction is not what the user said. */
function isSummary(text: string): boolean {
  return text.startsWith(summaryPrefix.trimEnd());
}
