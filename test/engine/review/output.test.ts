import { describe, expect, test } from "vitest";
import {
  parseReviewOutput,
  reviewMessage,
  reviewQuestion,
} from "../../../src/engine/review/output.js";
import { contentText } from "../../../src/rollout/index.js";

const finding = {
  title: "Off by one",
  body: "The loop\nskips the last item.",
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: "/w/a.ts", line_range: { start: 3, end: 4 } },
};
const output = {
  findings: [finding],
  overall_correctness: "patch is incorrect",
  overall_explanation: "One bug.",
  overall_confidence_score: 0.8,
};

describe("parseReviewOutput", () => {
  test.each([
    ["JSON", JSON.stringify(output)],
    ["JSON in a fence", `Here it is:\n\`\`\`json\n${JSON.stringify(output)}\n\`\`\`\nDone.`],
  ])("reads %s", (_, text) => {
    expect(parseReviewOutput(text)).toEqual(output);
  });

  test.each([
    ["text", "Looks fine to me."],
    ["an object of another kind", '{"result":"ok"}'],
    ["a finding without a title", '{"findings":[{"body":"x"}]}'],
    ["findings that are no list", '{"findings":{}}'],
    ["broken JSON", '{"findings":['],
  ])("takes %s as the explanation", (_, text) => {
    expect(parseReviewOutput(text)).toEqual({
      findings: [],
      overall_correctness: "",
      overall_explanation: text,
      overall_confidence_score: 0,
    });
  });

  test("fills in what a finding lacks", () => {
    const read = parseReviewOutput('{"findings":[{"title":"T","body":"B","priority":"high"}]}');

    expect(read.findings).toEqual([
      {
        title: "T",
        body: "B",
        confidence_score: 0,
        priority: 0,
        code_location: { absolute_file_path: "", line_range: { start: 0, end: 0 } },
      },
    ]);
  });
});

describe("reviewMessage", () => {
  const textOf = (given: typeof output | undefined) => {
    const message = reviewMessage(given);
    return message.type === "message" ? contentText(message.content) : "";
  };

  test("has the explanation and the findings with their place", () => {
    const text = textOf(output);

    expect(text).toContain("One bug.");
    expect(text).toContain("- Off by one — /w/a.ts:3-4\n  The loop\n  skips the last item.");
    expect(text).toMatch(/^<user_action>[\s\S]*<action>review<\/action>[\s\S]*<\/user_action>$/);
  });

  test("reports an interrupted review and one without findings", () => {
    expect(textOf(undefined)).toContain("interrupted");
    expect(textOf({ ...output, findings: [], overall_explanation: " " })).toContain("No findings.");
  });
});

test.each([
  [{ prompt: "Look at a.ts" }, /^Look at a\.ts$/],
  [{ target: { type: "uncommittedChanges" } }, /not committed yet/],
  [{ target: { type: "baseBranch", branch: "main" } }, /git merge-base HEAD main/],
  [{ target: { type: "commit", sha: "abc123", title: "Fix it" } }, /abc123 \(“Fix it”\)/],
  [{ target: { type: "commit", sha: "abc123" } }, /commit abc123 changes/],
  [{ target: { type: "custom", instructions: "  only tests " } }, /^only tests$/],
  [{}, /^$/],
])("the reviewer's task for %j", (request, expected) => {
  expect(reviewQuestion(request as never)).toMatch(expected);
});
