import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { ReviewTarget } from "../../sqeq/events/review.js";
import { defineMethod } from "../declare.js";
import { Turn } from "./turn.js";

export const ReviewStartParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    target: described(ReviewTarget, "Review target."),
    delivery: Type.Optional(
      Type.Enum(["inline", "detached"], {
        description: "Runs in the thread itself, or in a copy (`detached`). Default: `inline`.",
      }),
    ),
  },
  { $id: "ReviewStartParams", description: "Params of `review/start`." },
);
export interface ReviewStartParams extends Static<typeof ReviewStartParams> {
  target: ReviewTarget;
}

export const ReviewStartResponse = Type.Object(
  {
    turn: described(Turn, "Turn of the review."),
    reviewThreadId: Type.String({ description: "Thread of the review." }),
  },
  { $id: "ReviewStartResponse", description: "Result of `review/start`." },
);
export interface ReviewStartResponse extends Static<typeof ReviewStartResponse> {
  turn: Turn;
}

export const reviewMethods = [
  defineMethod({
    name: "review/start",
    summary: "Starts a code review.",
    scope: "thread",
    params: ReviewStartParams,
    result: ReviewStartResponse,
  }),
];
