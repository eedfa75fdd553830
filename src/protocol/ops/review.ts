import Type, { type Static } from "typebox";
import { ReviewRequest } from "../review.js";
import { described } from "../schema.js";

export const ReviewOp = Type.Object(
  {
    type: Type.Literal("review"),
    review_request: described(ReviewRequest, "What to review."),
  },
  {
    $id: "ReviewOp",
    description: "Starts a code review in a conversation of its own; replaces a task that runs.",
  },
);
export interface ReviewOp extends Static<typeof ReviewOp> {}
