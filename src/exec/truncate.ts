import { byteLength, charCount, lineCount, splitText } from "../lib/text.js";

/** Maximum output for the model; a token counts as four bytes. */
export interface OutputLimit {
  mode: "bytes" | "tokens";
  limit: number;
}

/** A text that may have lost its middle. */
export interface TruncatedText {
  text: string;
  /** About how many tokens the whole text had; absent when nothing was taken away. */
  originalTokens?: number;
}

/** Default limit. */
const usualLimit = 10_000;

/** Replaces the middle of a text over the limit by a marker with the number of removed units. */
export function truncateText(text: string, { mode, limit }: OutputLimit): string {
  return mode === "tokens" ? truncateTokens(text, limit).text : truncateBytes(text, limit);
}

/** Like `truncateText`, with the original number of lines in front. */
export function truncateWithNotice(
  text: string,
  limit: OutputLimit,
  options: { tokenNotice?: boolean } = {},
): string {
  if (byteLength(text) <= byteBudget(limit)) return text;
  const tokenNotice = options.tokenNotice
    ? `Warning: truncated output (original token count: ${approxTokenCount(text)})\n`
    : "";
  return `${tokenNotice}Total output lines: ${lineCount(text)}\n\n${truncateText(text, limit)}`;
}

/** Truncates to `maxBytes`, not counting the marker. */
function truncateBytes(text: string, maxBytes: number): string {
  if (text === "") return "";
  if (maxBytes === 0) return `…${charCount(text)} chars truncated…`;
  if (byteLength(text) <= maxBytes) return text;
  const { head, tail, removedChars } = halves(text, maxBytes);
  return `${head}…${removedChars} chars truncated…${tail}`;
}

/** Truncates to `maxTokens`, and returns the original number of tokens. */
export function truncateTokens(text: string, maxTokens: number): TruncatedText {
  if (text === "") return { text: "" };
  const maxBytes = maxTokens * bytesPerToken;
  const size = byteLength(text);
  if (size <= maxBytes) return { text };
  const { head, tail } = halves(text, maxBytes);
  const removed = approxTokens(size - maxBytes);
  return {
    text: `${head}…${removed} tokens truncated…${tail}`,
    originalTokens: approxTokens(size),
  };
}

/** About how many tokens a text of so many bytes has; none for less than one byte. */
export function approxTokens(bytes: number): number {
  return bytes <= 0 ? 0 : Math.ceil(bytes / bytesPerToken);
}

/** About how many tokens a text has. */
export function approxTokenCount(text: string): number {
  return approxTokens(byteLength(text));
}

/** Number of bytes that a limit allows. */
function byteBudget({ mode, limit }: OutputLimit): number {
  return mode === "tokens" ? limit * bytesPerToken : limit;
}

/**
 * Returns the limit for a model; `tokens` is the setting `tool_output_token_limit`.
 *
 * Coding models and all of the reference's since gpt-5.3 count tokens, others bytes.
 */
export function outputLimitFor(model: string, tokens?: number): OutputLimit {
  const mode = countsTokens.test(model) ? "tokens" : "bytes";
  if (tokens === undefined) return { mode, limit: usualLimit };
  return { mode, limit: mode === "tokens" ? tokens : tokens * bytesPerToken };
}

const countsTokens = /(^|-)codex(-|$)|^gpt-(5\.[3-9]|[6-9]|daybreak-)/;

/** Returns the limit of one answer: the tokens that the model asks for, up to its own limit. */
export function answerLimit(tokens: number | undefined, allowed: OutputLimit): OutputLimit {
  const asked: OutputLimit = { mode: "tokens", limit: tokens ?? usualLimit };
  return byteBudget(asked) <= byteBudget(allowed) ? asked : allowed;
}

const bytesPerToken = 4;

function halves(text: string, maxBytes: number) {
  const head = Math.floor(maxBytes / 2);
  return splitText(text, head, maxBytes - head);
}

/** A part of a tool's output: text, or something of another type that is passed on as it is. */
export interface OutputItem {
  type: string;
  text?: string;
}

/** Items within a limit. */
interface TruncatedItems<Item> {
  items: Item[];
  /** About how many tokens of text there were; absent when nothing was taken away. */
  originalTokens?: number;
}

/**
 * Truncates a list of items: texts stay while they fit, the first that does not is truncated in the
 * middle, later ones are dropped and counted. Images and other items stay.
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
