import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const TokenUsage = Type.Object(
  {
    input_tokens: Type.Integer({ description: "Input tokens, including cached ones." }),
    cached_input_tokens: Type.Integer({ description: "Cached input tokens." }),
    output_tokens: Type.Integer({ description: "Output tokens, including reasoning." }),
    reasoning_output_tokens: Type.Integer({ description: "Reasoning tokens." }),
    total_tokens: Type.Integer({ description: "Input and output tokens." }),
  },
  { $id: "TokenUsage", description: "Token usage of one or more responses." },
);
export interface TokenUsage extends Static<typeof TokenUsage> {}

export const TokenUsageInfo = Type.Object(
  {
    total_token_usage: described(TokenUsage, "Usage of all responses of the session."),
    last_token_usage: described(TokenUsage, "Usage of the latest response."),
    model_context_window: Nullish(Type.Integer(), {
      description: "Context window of the model in tokens, if known.",
    }),
  },
  { $id: "TokenUsageInfo", description: "Token usage and context window." },
);
export interface TokenUsageInfo extends Static<typeof TokenUsageInfo> {}

export const RateLimitWindow = Type.Object(
  {
    used_percent: Type.Number({ description: "Used share of the limit, in percent." }),
    window_minutes: Nullish(Type.Integer(), { description: "Length of the window." }),
    resets_in_seconds: Nullish(Type.Integer(), { description: "Seconds until the window resets." }),
    resets_at: Nullish(Type.Integer(), {
      description: "Reset time of the window, in Unix seconds.",
    }),
  },
  { $id: "RateLimitWindow", description: "Usage of a rate limit window." },
);
export interface RateLimitWindow extends Static<typeof RateLimitWindow> {}

export const CreditsSnapshot = Type.Object(
  {
    has_credits: Type.Boolean({ description: "True if the account has credits." }),
    unlimited: Type.Boolean({ description: "True if credits are unlimited." }),
    balance: Nullish(Type.String(), { description: "Remaining credits." }),
  },
  { $id: "CreditsSnapshot", description: "Credits of the account." },
);
export interface CreditsSnapshot extends Static<typeof CreditsSnapshot> {}

export const RateLimitSnapshot = Type.Object(
  {
    primary: Nullish(RateLimitWindow, { description: "Short window." }),
    secondary: Nullish(RateLimitWindow, { description: "Long window." }),
    limit_id: Nullish(Type.String(), { description: "Id of the limit." }),
    limit_name: Nullish(Type.String(), { description: "Display name." }),
    credits: Nullish(CreditsSnapshot, { description: "Credits of the account." }),
    plan_type: Nullish(Type.String(), { description: "Plan of the account." }),
  },
  { $id: "RateLimitSnapshot", description: "Rate limits of the provider and their usage." },
);
export interface RateLimitSnapshot extends Static<typeof RateLimitSnapshot> {}
