import { byteLength } from "../lib/truncate.js";
import {
  approxTokenCount,
  byteBudget,
  type OutputLimit,
  truncateText,
  truncateWithNotice,
} from "./truncate.js";

/** A part of a tool's output: text, or something of another type that is passed on as it is. */
export interface OutputItem {
  type: string;
  text?: string;
}

/** Items within a limit. */
export interface TruncatedItems<Item> {
  items: Item[];
  /** About how many tokens of text there were; absent when nothing was taken away. */
  originalTokens?: number;
}

/**
 * Cuts a list of items one by one: texts are kept while they fit, the first that does not loses its
 * middle, later ones are left out and counted. Pictures and other items are kept.
 */
export function truncateItems<Item extends OutputItem>(
  items: readonly Item[],
  limit: OutputLimit,
): (Item | TextItem)[] {
  let left = limit.limit;
  let omitted = 0;
  const kept: (Item | TextItem)[] = [];
  for (const item of items) {
    if (!isText(item)) {
      kept.push(item);
      continue;
    }
    if (left === 0) {
      omitted++;
      continue;
    }
    const cost = limit.mode === "tokens" ? approxTokenCount(item.text) : byteLength(item.text);
    const fits = cost <= left;
    kept.push(fits ? item : textItem(truncateText(item.text, { ...limit, limit: left })));
    left = fits ? left - cost : 0;
  }
  if (omitted > 0) kept.push(textItem(`[omitted ${omitted} text items ...]`));
  return kept;
}

/**
 * Joins all texts into one cut text in front when they are too long together; else changes nothing. Asked for
 * by the suites alone.
 */
export function mergeAndTruncateItems<Item extends OutputItem>(
  items: readonly Item[],
  limit: OutputLimit,
): TruncatedItems<Item | TextItem> {
  const texts = items.filter(isText).map(({ text }) => text);
  const start = texts.findIndex((text) => text !== "");
  const text = start === -1 ? "" : texts.slice(start).join("\n");
  if (texts.length === 0 || byteLength(text) <= byteBudget(limit)) return { items: [...items] };
  return {
    items: [
      textItem(truncateWithNotice(text, limit, { tokenNotice: true })),
      ...items.filter((item) => !isText(item)),
    ],
    originalTokens: approxTokenCount(text),
  };
}

interface TextItem {
  type: "input_text";
  text: string;
}

function isText<Item extends OutputItem>(item: Item): item is Item & TextItem {
  return item.type === "input_text" && item.text !== undefined;
}

function textItem(text: string): TextItem {
  return { type: "input_text", text };
}
