import type { ReviewRequest, ReviewTarget } from "../../protocol/types.js";

/** What the reviewer is asked: in the client's words, or in ours for what the target names. */
export function reviewQuestion({ prompt, target }: ReviewRequest): string {
  return prompt ?? (target === undefined ? "" : targetQuestion(target));
}

function targetQuestion(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "Review the changes that are not committed yet: what is staged, what is not, and new files. Say what should be fixed before they are committed.";
    case "baseBranch":
      return `Review what this branch changes against \`${target.branch}\`: find where it left that branch with \`git merge-base HEAD ${target.branch}\`, and look at the diff from there on. Say what should be fixed before it is merged.`;
    case "commit": {
      const title = target.title == null ? "" : ` (“${target.title}”)`;
      return `Review what commit ${target.sha}${title} changes. Say what should be fixed in it.`;
    }
    case "custom":
      return target.instructions.trim();
  }
}
