import { expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import { calls, hangs, says } from "../support/model.js";

const review = {
  type: "review",
  review_request: { prompt: "Look at it.", user_facing_hint: "changes" },
} as const;

const output = {
  findings: [
    {
      title: "[P1] Wrong sign",
      body: "It is flipped.",
      confidence_score: 0.9,
      priority: 1,
      code_location: { absolute_file_path: "/a.txt", line_range: { start: 1, end: 2 } },
    },
  ],
  overall_correctness: "patch is incorrect",
  overall_explanation: "One bug.",
  overall_confidence_score: 0.8,
};

test("a review has a separate conversation, and the session's gets its result", async () => {
  await using codex = await startTestCodex({
    model: [
      says("One."),
      calls("shell", { command: ["true"] }),
      says(`Findings: ${JSON.stringify(output)}`),
      says("Two."),
    ],
  });
  await codex.turn({ type: "user_input", items: text("first") });

  const events = await codex.turn(review);
  await codex.turn({ type: "user_input", items: text("second") });

  expect(events[0]).toEqual({ type: "entered_review_mode", ...review.review_request });
  expect(events.map(({ type }) => type)).not.toContain("agent_message");
  expect(events.at(-2)).toEqual({ type: "exited_review_mode", review_output: output });
  expect(JSON.stringify(codex.prompts[1]?.input)).not.toContain("first");
  const last = JSON.stringify(codex.prompts[3]?.input);
  expect(last).toContain("[P1] Wrong sign — /a.txt:1-2");
  expect(last).not.toContain("Look at it.");
});

test("an answer that is no JSON becomes the explanation", async () => {
  await using codex = await startTestCodex({ model: [says("Looks fine.")] });

  const events = await codex.turn(review);

  expect(events.at(-2)).toMatchObject({
    review_output: { findings: [], overall_explanation: "Looks fine." },
  });
});

test("an interrupted review is reported, and the session still works", async () => {
  await using codex = await startTestCodex({ model: [hangs(says("thinking")), says("Fine.")] });
  codex.submit(review);
  await codex.until("entered_review_mode");

  codex.submit({ type: "interrupt" });
  const exited = await codex.until("exited_review_mode");
  const aborted = await codex.until("turn_aborted");
  const next = await codex.turn({ type: "user_input", items: text("next") });

  expect(exited.msg.review_output).toBeUndefined();
  expect(aborted.msg.reason).toBe("review_ended");
  expect(next.at(-1)).toMatchObject({ last_agent_message: "Fine." });
});
