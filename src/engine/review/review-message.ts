import type { ResponseItem, ReviewFinding, ReviewOutputEvent } from "../../protocol/types.js";
import { userMessage } from "../opening/messages.js";

/** What the session's conversation learns of a review, as something the user did. */
export function reviewMessage(output: ReviewOutputEvent | undefined): ResponseItem {
  const context =
    output === undefined
      ? "The user started a code review, but it was interrupted before there was a result."
      : "The user had the changes reviewed. The review is done; this is its result, to which the user may refer.";
  return userMessage(
    [
      "<user_action>",
      `  <context>${context}</context>`,
      "  <action>review</action>",
      "  <results>",
      `  ${output === undefined ? "None." : resultText(output)}`,
      "  </results>",
      "</user_action>",
    ].join("\n"),
  );
}

function resultText({ findings, overall_explanation }: ReviewOutputEvent): string {
  const explanation = overall_explanation.trim();
  if (findings.length === 0) return explanation === "" ? "No findings." : explanation;
  const list = findings.map(findingText).join("\n\n");
  return explanation === "" ? list : `${explanation}\n\n${list}`;
}

function findingText({ title, body, code_location: location }: ReviewFinding): string {
  const { start, end } = location.line_range;
  const head = `- ${title} — ${location.absolute_file_path}:${start}-${end}`;
  return [head, ...body.split("\n").map((line) => `  ${line}`)].join("\n");
}
