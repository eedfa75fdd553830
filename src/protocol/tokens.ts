import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const TokenUsage = Type.Object(
  {
    input_tokens: Type.Integer({ description: "Tokens sent, cached ones included." }),
    cached_input_tokens: Type.Integer({ description: "How many of those came from the cache." }),
    output_tokens: Type.Integer({ description: "Tokens the model wrote, reasoning included." }),
    reasoning_output_tokens: Type.Integer({ description: "How many of those were reasoning." }),
    total_tokens: Type.Integer({ description: "Input and output together." }),
  },
  { $id: "TokenUsage", description: "The tokens one or several responses cost." },
);
export interface TokenUsage extends Static<typeof TokenUsage> {}

export const TokenUsageInfo = Type.Object(
  {
    total_token_usage: described(TokenUsage, "All responses of the session."),
    last_token_usage: described(TokenUsage, "The latest response."),
    model_context_window: Nullish(Type.Integer(), {
      description: "How many tokens the model can hold, when that is known.",
    }),
  },
  { $id: "TokenUsageInfo", description: "Tokens used so far, and how many fit." },
);
export interface TokenUsageInfo extends Static<typeof TokenUsageInfo> {}

export const RateLimitWindow = Type.Object(
  {
    used_percent: Type.Number({ description: "How much of the limit is used, in percent." }),
    window_minutes: Nullish(Type.Integer(), { description: "How long the window is." }),
    resets_in_seconds: Nullish(Type.Integer(), { description: "Seconds until it starts anew." }),
    resets_at: Nullish(Type.Integer(), { description: "When it starts anew, in Unix seconds." }),
  },
  { $id: "RateLimitWindow", description: "How far one limit of the model provider is used up." },
);
export interface RateLimitWindow extends Static<typeof RateLimitWindow> {}

export const CreditsSnapshot = Type.Object(
  {
    has_credits: Type.Boolean({ description: "Whether the account has credits." }),
    unlimited: Type.Boolean({ description: "Whether they never run out." }),
    balance: Nullish(Type.String(), { description: "What is left." }),
  },
  { $id: "CreditsSnapshot", description: "The credits of the account." },
);
export interface CreditsSnapshot extends Static<typeof CreditsSnapshot> {}

export const RateLimitSnapshot = Type.Object(
  {
    primary: Nullish(RateLimitWindow, { description: "The short window." }),
    secondary: Nullish(RateLimitWindow, { description: "The long window." }),
    limit_id: Nullish(Type.String(), { description: "Which set of limits this is." }),
    limit_name: Nullish(Type.String(), { description: "Its name for the user." }),
    credits: Nullish(CreditsSnapshot, { description: "The credits of the account." }),
    plan_type: Nullish(Type.String(), { description: "The plan the account is on." }),
  },
  { $id: "RateLimitSnapshot", description: "How far the limits of the provider are used up." },
);
export interface RateLimitSnapshot extends Static<typeof RateLimitSnapshot> {}
