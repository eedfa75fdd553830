import { describe, expect, test } from "vitest";
import type { ToolChoice } from "../../src/tools/define-tool.js";
import { requestUserInputAsync } from "../../src/tools/request-user-input.js";
import type { ToolContext, ToolTurn } from "../../src/tools/tool.js";

async function ask(questions: unknown) {
  const seen: unknown[] = [];
  const context = {
    callId: "c1",
    emit: (msg: unknown) => void seen.push(msg),
    emitItem: (...event: unknown[]) => void seen.push(event),
  } as unknown as ToolContext;
  const output = await requestUserInputAsync.tool.run(
    { text: JSON.stringify({ questions }) },
    context,
  );
  return { seen, output };
}

describe("questions that the model does not wait for", () => {
  test.each([
    [{ asyncQuestions: true }, false, true, true],
    [{ asyncQuestions: true }, false, false, false],
    [{ asyncQuestions: true }, true, true, false],
    [{}, false, true, false],
  ])(
    "with %j, in a review: %s, with a user: %s, they are offered: %s",
    (family, isReview, asyncQuestions, expected) => {
      const turn = { family, isReview } as ToolTurn;
      const choice = { asyncQuestions } as ToolChoice;

      expect(requestUserInputAsync.offeredIn?.(turn, choice)).toBe(expected);
    },
  );

  test("they are a message of the model, with the answers to choose from", async () => {
    const { seen, output } = await ask([
      { title: "Which color?", options: ["red", "blue"] },
      { title: "Name?" },
    ]);

    const text = "Which color?\n- red\n- blue\n\nName?";
    const facts = {
      phase: "final_answer",
      delivery: "async",
      questions: [
        { title: "Which color?", options: ["red", "blue"] },
        { title: "Name?", options: null },
      ],
    };
    const item = { type: "AgentMessage", id: "c1", content: [{ type: "Text", text }], ...facts };
    expect(seen).toEqual([
      ["item_started", item],
      ["item_completed", item],
      { type: "agent_message", message: text, ...facts },
    ]);
    expect(output).toEqual({ text: '{"accepted":true}', success: true });
  });

  test.each([
    ["questions must not be empty", []],
    ["question titles must not be empty", [{ title: "a" }, { title: " " }]],
    ["options must contain at least one non-empty answer", [{ title: "a", options: [] }]],
    ["options must contain at least one non-empty answer", [{ title: "a", options: [" "] }]],
  ])("%s", async (text, questions) => {
    expect(await ask(questions)).toEqual({ seen: [], output: { text, success: false } });
  });
});
