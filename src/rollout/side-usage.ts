import type { EventMsg, TokenCountEvent, TokenUsage } from "../protocol/types.js";

/** Tokens of a response that is not part of the thread's own conversation: of a review, for example. */
export interface SideUsage {
  model: string;
  usage: TokenUsage;
}

/**
 * Returns the line of a rollout that records tokens of a side conversation.
 *
 * To programs that do not know the field it is a token count without news.
 */
export function toSideUsageEvent(side_usage: SideUsage): EventMsg {
  const event: TokenCountEvent = { type: "token_count", info: null, rate_limits: null };
  return { ...event, side_usage } as EventMsg;
}

/** Returns true for a line that records tokens of a side conversation. */
export function isSideUsage(msg: EventMsg): boolean {
  return msg.type === "token_count" && "side_usage" in msg;
}
