import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { ReviewTarget } from "../../sqeq/events/review.js";
import { defineMethod } from "../declare.js";
import { Turn } from "./turn.js";

export const ReviewStartParams = Type.Object(
  {
    threadId: Type.String({ description: "The thread, by its UUID." }),
    target: described(ReviewTarget, "What is reviewed."),
    delivery: Type.Optional(
      Type.Enum(["inline", "detached"], {
        description: "In the thread itself (if absent), or in a copy of it.",
      }),
    ),
  },
  { $id: "ReviewStartParams", description: "What is to be reviewed, and where." },
);
export interface ReviewStartParams extends Static<typeof ReviewStartParams> {
  target: ReviewTarget;
}

export const ReviewStartResponse = Type.Object(
  {
    turn: described(Turn, "The turn of the review."),
    reviewThreadId: Type.String({ description: "The thread that it is in." }),
  },
  { $id: "ReviewStartResponse", description: "The review that begins." },
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
