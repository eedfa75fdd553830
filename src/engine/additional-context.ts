import type { AdditionalContext, ResponseItem } from "../protocol/types.js";
import { developerMessage, userMessage } from "./messages.js";

/**
 * Returns the messages with context that a client adds to a user's message.
 *
 * The tags tell the model where a text is from, so a text cannot end its own tag.
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
