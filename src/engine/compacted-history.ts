import type { ResponseItem } from "../protocol/types.js";
import {
  type CompactionForm,
  collectUserMessages,
  contentText,
  isUserMessage,
  toCompactedItems,
} from "../rollout/index.js";
import summaryPrefix from "./prompts/compact-prefix.md";
import type { Session } from "./session.js";

/** Items of a conversation after compaction: the opening messages, the user's messages, and the summary. */
export function compactedHistory(
  session: Session,
  items: readonly ResponseItem[],
  summary: string,
): ResponseItem[] {
  const { compactedHistory: form } = session.parts.era.engine;
  const compacted = toCompactedItems({
    form,
    initialContext: session.initialContext(),
    userMessages: collectUserMessages(items, form, formerSummaries(items)),
    summary: withPrefix(summary, form),
  });
  return keepOriginals(compacted, items);
}

/** A message that stays as it was is the same item, and goes to the model under the same name. */
function keepOriginals(
  compacted: readonly ResponseItem[],
  items: readonly ResponseItem[],
): ResponseItem[] {
  const originals = items.filter(isUserMessage);
  return compacted.map((item) => {
    if (!isUserMessage(item)) return item;
    const text = contentText(item.content);
    return (
      originals.find(({ content }) => content.length === 1 && contentText(content) === text) ?? item
    );
  });
}

/** Marks the summary as such if it follows the user's own messages. */
function withPrefix(summary: string, form: CompactionForm): string {
  return form === "bridge" || summary === "" ? summary : `${prefix}\n${summary}`;
}

/** Summaries of earlier compactions, which are not messages of the user. */
function formerSummaries(items: readonly ResponseItem[]): Set<string> {
  const texts = items.flatMap((item) =>
    item.type === "message" ? [contentText(item.content)] : [],
  );
  return new Set(texts.filter((text) => text.startsWith(prefix)));
}

const prefix = summaryPrefix.trimEnd();
