import { isRecord } from "../../protocol/read/check.js";
import type {
  ResponseItem,
  ReviewFinding,
  ReviewOutputEvent,
  ReviewRequest,
  ReviewTarget,
} from "../../protocol/types.js";
import { userMessage } from "../messages.js";
import type { Task } from "../task.js";

/** Reads the reviewer's last message: as JSON, as text around JSON, else as an explanation. */
export function parseReviewOutput(text: string): ReviewOutputEvent {
  const json = readJson(text) ?? readJson(betweenBraces(text));
  if (json !== undefined) return json;
  return {
    findings: [],
    overall_correctness: "",
    overall_explanation: text,
    overall_confidence_score: 0,
  };
}

function betweenBraces(text: string): string {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  return start < 0 || end < start ? "" : text.slice(start, end + 1);
}

function readJson(text: string): ReviewOutputEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !Array.isArray(value.findings)) return undefined;
  const findings = value.findings.map(toFinding);
  if (!findings.every((finding) => finding !== undefined)) return undefined;
  return {
    findings,
    overall_correctness: textOr(value.overall_correctness, ""),
    overall_explanation: textOr(value.overall_explanation, ""),
    overall_confidence_score: numberOr(value.overall_confidence_score, 0),
  };
}

function toFinding(value: unknown): ReviewFinding | undefined {
  if (!isRecord(value) || typeof value.title !== "string" || typeof value.body !== "string") {
    return undefined;
  }
  const location = isRecord(value.code_location) ? value.code_location : {};
  const range = isRecord(location.line_range) ? location.line_range : {};
  return {
    title: value.title,
    body: value.body,
    confidence_score: numberOr(value.confidence_score, 0),
    priority: numberOr(value.priority, 0),
    code_location: {
      absolute_file_path: textOr(location.absolute_file_path, ""),
      line_range: { start: numberOr(range.start, 0), end: numberOr(range.end, 0) },
    },
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

/** Message about a review for the session's conversation, as an action of the user. */
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

/** Returns the task of the reviewer: the client's prompt, or a default one for the target. */
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

/** Returns an id for the start or end of a review, in eras whose log has item ids. */
export function reviewItemId({ session }: Task): string | undefined {
  const { era, newId } = session.parts;
  return era.engine.recordsCalls ? newId() : undefined;
}
