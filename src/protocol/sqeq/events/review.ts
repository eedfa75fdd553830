import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";

export const UncommittedChangesTarget = Type.Object(
  { type: Type.Literal("uncommittedChanges") },
  { $id: "UncommittedChangesTarget", description: "What is changed in the work tree." },
);
export interface UncommittedChangesTarget extends Static<typeof UncommittedChangesTarget> {}

export const BaseBranchTarget = Type.Object(
  {
    type: Type.Literal("baseBranch"),
    branch: Type.String({ description: "The branch to compare with." }),
  },
  { $id: "BaseBranchTarget", description: "What differs from a branch." },
);
export interface BaseBranchTarget extends Static<typeof BaseBranchTarget> {}

export const CommitTarget = Type.Object(
  {
    type: Type.Literal("commit"),
    sha: Type.String({ description: "The commit." }),
    title: Nullish(Type.String(), { description: "Its first line, for the user." }),
  },
  { $id: "CommitTarget", description: "What one commit changed." },
);
export interface CommitTarget extends Static<typeof CommitTarget> {}

export const CustomTarget = Type.Object(
  {
    type: Type.Literal("custom"),
    instructions: Type.String({ description: "What to review, in words." }),
  },
  { $id: "CustomTarget", description: "Whatever the instructions say." },
);
export interface CustomTarget extends Static<typeof CustomTarget> {}

/** What a review looks at. */
export type ReviewTarget =
  | UncommittedChangesTarget
  | BaseBranchTarget
  | CommitTarget
  | CustomTarget;
export const ReviewTarget = taggedUnion(
  "ReviewTarget",
  "type",
  [UncommittedChangesTarget, BaseBranchTarget, CommitTarget, CustomTarget],
  "What a review looks at.",
);

const reviewRequestFields = {
  prompt: Type.Optional(
    Type.String({ description: "What to review; may be absent when `target` says it." }),
  ),
  user_facing_hint: Type.Optional(Type.String({ description: "The same in short, for the user." })),
  target: described(Type.Optional(ReviewTarget), "What to review, where a client says it so."),
};

export const ReviewRequest = Type.Object(reviewRequestFields, {
  $id: "ReviewRequest",
  description: "Asks for a code review; it has a `prompt`, a `target` or both.",
});
export interface ReviewRequest extends Static<typeof ReviewRequest> {}

export const ReviewLineRange = Type.Object(
  {
    start: Type.Integer({ description: "The first line, counted from 1." }),
    end: Type.Integer({ description: "The last line, itself included." }),
  },
  { $id: "ReviewLineRange", description: "Lines of a file." },
);
export interface ReviewLineRange extends Static<typeof ReviewLineRange> {}

export const ReviewCodeLocation = Type.Object(
  {
    absolute_file_path: Type.String({ description: "The file." }),
    line_range: described(ReviewLineRange, "The lines in it."),
  },
  { $id: "ReviewCodeLocation", description: "The place a finding is about." },
);
export interface ReviewCodeLocation extends Static<typeof ReviewCodeLocation> {}

export const ReviewFinding = Type.Object(
  {
    title: Type.String({ description: "The finding in one line." }),
    body: Type.String({ description: "The finding in full." }),
    confidence_score: Type.Number({ description: "How sure the model is, from 0 to 1." }),
    priority: Type.Integer({ description: "How urgent it is; 0 is the most urgent." }),
    code_location: described(ReviewCodeLocation, "Where it is."),
  },
  { $id: "ReviewFinding", description: "Something the review found." },
);
export interface ReviewFinding extends Static<typeof ReviewFinding> {}

export const ReviewOutputEvent = Type.Object(
  {
    findings: Type.Array(ReviewFinding, { description: "What was found; may be empty." }),
    overall_correctness: Type.String({ description: "The verdict in a few words." }),
    overall_explanation: Type.String({ description: "Why, in a few sentences." }),
    overall_confidence_score: Type.Number({ description: "How sure the model is, from 0 to 1." }),
  },
  { $id: "ReviewOutputEvent", description: "The result of a code review." },
);
export interface ReviewOutputEvent extends Static<typeof ReviewOutputEvent> {}

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
