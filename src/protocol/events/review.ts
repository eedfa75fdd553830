import Type, { type Static } from "typebox";
import { ReviewOutputEvent, ReviewRequest } from "../review.js";
import { Nullish } from "../schema.js";

export const EnteredReviewModeEvent = Type.Object(
  { type: Type.Literal("entered_review_mode"), ...ReviewRequest.properties },
  { $id: "EnteredReviewModeEvent", description: "A code review begins." },
);
export interface EnteredReviewModeEvent extends Static<typeof EnteredReviewModeEvent> {}

export const ExitedReviewModeEvent = Type.Object(
  {
    type: Type.Literal("exited_review_mode"),
    review_output: Nullish(ReviewOutputEvent, {
      description: "What it found; absent when it was cut short.",
    }),
  },
  { $id: "ExitedReviewModeEvent", description: "A code review is over." },
);
export interface ExitedReviewModeEvent extends Static<typeof ExitedReviewModeEvent> {}
