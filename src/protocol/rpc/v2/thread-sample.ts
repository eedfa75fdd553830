import Type, { type Static } from "typebox";
import { allSince, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { EmptyResponse } from "./common.js";

const count = (description: string) => Nullable(Type.Integer(), { description });

export const ThreadSampleParams = Type.Object(
  {
    threadId: Type.String({ description: "Loaded thread." }),
    expectedTurnId: Type.String({ description: "Its latest turn, which must have ended." }),
    prompt: Type.String({ description: "Message to the model; at most 4000 bytes." }),
  },
  { $id: "ThreadSampleParams", description: "Params of `thread/sample`." },
);
export interface ThreadSampleParams extends Static<typeof ThreadSampleParams> {}

export const ThreadSampleResponse = Type.Object(
  allSince("0.166", {
    sourceTurnId: Type.String({ description: "Latest turn of the thread." }),
    responseId: Type.String({ description: "Id of the response." }),
    text: Nullable(Type.String(), { description: "Answer; null if it has no message." }),
    inputTokens: count("Tokens of the request."),
    cachedInputTokens: count("Tokens of the request that were cached."),
    outputTokens: count("Tokens of the answer."),
  }),
  { $id: "ThreadSampleResponse", description: "Result of `thread/sample`." },
);
export interface ThreadSampleResponse extends Static<typeof ThreadSampleResponse> {}

export const ThreadSampleCancelParams = Type.Object(
  {
    requestId: Type.Union([Type.String(), Type.Integer()], {
      description: "Id of the `thread/sample` request, on the same connection.",
    }),
  },
  { $id: "ThreadSampleCancelParams", description: "Params of `thread/sample/cancel`." },
);
export interface ThreadSampleCancelParams extends Static<typeof ThreadSampleCancelParams> {}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const threadSampleMethods = [
  defineMethod({
    name: "thread/sample",
    summary: "Asks the model with the history of a thread and a prompt; nothing is recorded.",
    scope: "thread",
    params: ThreadSampleParams,
    result: ThreadSampleResponse,
    ...dates,
  }),
  defineMethod({
    name: "thread/sample/cancel",
    summary: "Cancels a `thread/sample` request, which is then answered with an error.",
    scope: "connection",
    params: ThreadSampleCancelParams,
    result: EmptyResponse,
    ...dates,
  }),
];
