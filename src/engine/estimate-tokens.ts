import type { ResponseItem } from "../protocol/types.js";

/** About how many tokens items take, by their size; for when no response has told it. */
export function estimateTokens(items: readonly ResponseItem[]): number {
  const bytes = items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
  return Math.ceil(bytes / bytesPerToken);
}

const bytesPerToken = 4;
