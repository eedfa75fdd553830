/** What decides how full a conversation may get. */
export interface CompactLimitParts {
  /** What the user has set. */
  configured: number | undefined;
  /** How much the model can be shown, when that is known. */
  window: number | undefined;
  /** The part of the window that may be filled when the user says nothing; absent: all of it. */
  percent: number | undefined;
}

/** From how many tokens in its window on a conversation is summarized by itself, if at all. */
export function compactLimit({
  configured,
  window,
  percent,
}: CompactLimitParts): number | undefined {
  if (configured !== undefined) return configured;
  if (percent === undefined || window === undefined) return undefined;
  return Math.floor((window * percent) / 100);
}
