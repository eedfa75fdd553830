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

/** The conversation after a summary: what every session starts with, and what is known of the past. */
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

/** Where the user's messages stay, the model must be told that the last one is no message of theirs. */
function withPrefix(summary: string, form: CompactionForm): string {
  return form === "bridge" || summary === "" ? summary : `${prefix}\n${summary}`;
}

/** A summary of an earlier compaction is not what the user said. */
function formerSummaries(items: readonly ResponseItem[]): Set<string> {
  const texts = items.flatMap((item) =>
    item.type === "message" ? [contentText(item.content)] : [],
  );
  return new Set(texts.filter((text) => text.startsWith(prefix)));
}

const prefix = summaryPrefix.trimEnd();
