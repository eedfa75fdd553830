import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";

export const UncommittedChangesTarget = Type.Object(
  { type: Type.Literal("uncommittedChanges") },
  { $id: "UncommittedChangesTarget", description: "Uncommitted changes of the work tree." },
);
export interface UncommittedChangesTarget extends Static<typeof UncommittedChangesTarget> {}

export const BaseBranchTarget = Type.Object(
  {
    type: Type.Literal("baseBranch"),
    branch: Type.String({ description: "Base branch." }),
  },
  { $id: "BaseBranchTarget", description: "Changes against a base branch." },
);
export interface BaseBranchTarget extends Static<typeof BaseBranchTarget> {}

export const CommitTarget = Type.Object(
  {
    type: Type.Literal("commit"),
    sha: Type.String({ description: "Commit hash." }),
    title: Nullish(Type.String(), { description: "Subject of the commit, for display." }),
  },
  { $id: "CommitTarget", description: "Changes of a commit." },
);
export interface CommitTarget extends Static<typeof CommitTarget> {}

export const CustomTarget = Type.Object(
  {
    type: Type.Literal("custom"),
    instructions: Type.String({ description: "Review instructions." }),
  },
  { $id: "CustomTarget", description: "A review by custom instructions." },
);
export interface CustomTarget extends Static<typeof CustomTarget> {}

/** Target of a review. */
export type ReviewTarget =
  | UncommittedChangesTarget
  | BaseBranchTarget
  | CommitTarget
  | CustomTarget;
export const ReviewTarget = taggedUnion(
  "ReviewTarget",
  "type",
  [UncommittedChangesTarget, BaseBranchTarget, CommitTarget, CustomTarget],
  "Target of a review.",
);

const reviewRequestFields = {
  prompt: Type.Optional(
    Type.String({ description: "Instructions of the review; optional with `target`." }),
  ),
  user_facing_hint: Type.Optional(Type.String({ description: "Short description for display." })),
  target: described(Type.Optional(ReviewTarget), "Target of the review."),
};

export const ReviewRequest = Type.Object(reviewRequestFields, {
  $id: "ReviewRequest",
  description: "A request for a code review, with a `prompt`, a `target` or both.",
});
export interface ReviewRequest extends Static<typeof ReviewRequest> {}

export const ReviewLineRange = Type.Object(
  {
    start: Type.Integer({ description: "First line, starting at 1." }),
    end: Type.Integer({ description: "Last line, inclusive." }),
  },
  { $id: "ReviewLineRange", description: "A range of lines." },
);
export interface ReviewLineRange extends Static<typeof ReviewLineRange> {}

export const ReviewCodeLocation = Type.Object(
  {
    absolute_file_path: Type.String({ description: "The file." }),
    line_range: described(ReviewLineRange, "Lines in the file."),
  },
  { $id: "ReviewCodeLocation", description: "Location of a finding." },
);
export interface ReviewCodeLocation extends Static<typeof ReviewCodeLocation> {}

export const ReviewFinding = Type.Object(
  {
    title: Type.String({ description: "Title." }),
    body: Type.String({ description: "Full text." }),
    confidence_score: Type.Number({ description: "Confidence from 0 to 1." }),
    priority: Type.Integer({ description: "Priority; 0 is the most urgent." }),
    code_location: described(ReviewCodeLocation, "Location."),
  },
  { $id: "ReviewFinding", description: "A finding of the review." },
);
export interface ReviewFinding extends Static<typeof ReviewFinding> {}

export const ReviewOutputEvent = Type.Object(
  {
    findings: Type.Array(ReviewFinding, { description: "Findings; may be empty." }),
    overall_correctness: Type.String({ description: "Overall verdict." }),
    overall_explanation: Type.String({ description: "Explanation of the verdict." }),
    overall_confidence_score: Type.Number({ description: "Confidence from 0 to 1." }),
  },
  { $id: "ReviewOutputEvent", description: "The result of a code review." },
);
export interface ReviewOutputEvent extends Static<typeof ReviewOutputEvent> {}

export const EnteredReviewModeEvent = Type.Object(
  { type: Type.Literal("entered_review_mode"), ...ReviewRequest.properties },
  { $id: "EnteredReviewModeEvent", description: "A code review started." },
);
export interface EnteredReviewModeEvent extends Static<typeof EnteredReviewModeEvent> {}

export const ExitedReviewModeEvent = Type.Object(
  {
    type: Type.Literal("exited_review_mode"),
    review_output: Nullish(ReviewOutputEvent, {
      description: "Result; absent if the review was interrupted.",
    }),
  },
  { $id: "ExitedReviewModeEvent", description: "A code review ended." },
);
export interface ExitedReviewModeEvent extends Static<typeof ExitedReviewModeEvent> {}
