import type {
  EnteredReviewModeEvent,
  ExitedReviewModeEvent,
  ReviewFinding,
  ReviewOutputEvent,
  ReviewTarget,
} from "../../protocol/types.js";

/** Returns a short description of the reviewed changes. */
export function reviewHint(msg: Omit<EnteredReviewModeEvent, "type">): string {
  return (
    msg.user_facing_hint ?? (msg.target === undefined ? msg.prompt : targetHint(msg.target)) ?? ""
  );
}

/** Formats the result of a review as text. */
export function reviewText({
  review_output: output,
}: Pick<ExitedReviewModeEvent, "review_output">): string {
  return output == null ? noOutput : outputText(output);
}

const noOutput = "Reviewer failed to output a response.";

function targetHint(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "current changes";
    case "baseBranch":
      return `changes against '${target.branch}'`;
    case "commit": {
      const short = target.sha.slice(0, 7);
      return target.title == null ? `commit ${short}` : `commit ${short}: ${target.title}`;
    }
    case "custom":
      return target.instructions.trim();
  }
}

function outputText({ findings, overall_explanation }: ReviewOutputEvent): string {
  const parts = [overall_explanation.trim(), findingsText(findings)].filter((one) => one !== "");
  return parts.length === 0 ? noOutput : parts.join("\n\n");
}

function findingsText(findings: readonly ReviewFinding[]): string {
  if (findings.length === 0) return "";
  const title = findings.length === 1 ? "Review comment:" : "Full review comments:";
  return [title, ...findings.map(findingText)].join("\n\n");
}

function findingText({ title, body, code_location: location }: ReviewFinding): string {
  const { start, end } = location.line_range;
  const head = `- ${title} — ${location.absolute_file_path}:${start}-${end}`;
  return [head, ...body.split("\n").map((line) => `  ${line}`)].join("\n");
}
