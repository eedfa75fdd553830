import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";

export const UsageReadParams = Type.Object(
  {
    by: Type.Optional(
      Type.Enum(["day", "model", "project", "thread", "turn"], {
        description: "Group of the rows. Default: `day`. Turns are those of `threadId`.",
      }),
    ),
    threadId: Type.Optional(Type.String({ description: "Reads this thread only." })),
  },
  { $id: "UsageReadParams", description: "Params of `usage/read`." },
);
export interface UsageReadParams extends Static<typeof UsageReadParams> {}

export const UsageRow = Type.Object(
  {
    key: Type.String({ description: "Day, model, directory, thread or turn." }),
    responses: Type.Integer({ description: "Number of responses." }),
    inputTokens: Type.Integer({ description: "Input tokens, cached ones included." }),
    cachedInputTokens: Type.Integer({ description: "Cached input tokens." }),
    outputTokens: Type.Integer({ description: "Output tokens." }),
    reasoningOutputTokens: Type.Integer({ description: "Output tokens of reasoning." }),
    totalTokens: Type.Integer({ description: "Input and output tokens." }),
    cost: Nullable(Type.Number(), {
      description: "Cost in US dollars; null if the price of a model is not known.",
    }),
    unpricedModels: Type.Array(Type.String(), { description: "Models without a known price." }),
  },
  { $id: "UsageRow", description: "Tokens and cost of a group of responses." },
);
export interface UsageRow extends Static<typeof UsageRow> {}

export const UsageReadResponse = Type.Object(
  {
    rows: Type.Array(UsageRow, { description: "Groups, in the order of their keys." }),
    total: described(UsageRow, "All groups together."),
  },
  { $id: "UsageReadResponse", description: "Result of `usage/read`." },
);
export interface UsageReadResponse extends Static<typeof UsageReadResponse> {}

export const usageMethods = [
  defineMethod({
    name: "usage/read",
    summary: "Reads tokens and costs of the recorded threads from their rollouts.",
    scope: "server",
    params: UsageReadParams,
    result: UsageReadResponse,
    since: "current",
  }),
];
