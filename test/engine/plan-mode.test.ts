import { expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const plan = { collaboration_mode: { mode: "plan" } } as const;
const questions = [
  {
    id: "color",
    header: "Color",
    question: "Which color?",
    options: [{ label: "Red", description: "Warm" }],
  },
];

test("in plan mode a proposed plan streams as a plan and is no part of the message", async () => {
  const answer = "Here it is.\n<proposed_plan>\n1. Paint\n</proposed_plan>\nFine?";
  await using codex = await startTestCodex({
    model: [says(answer, ...(answer.match(/.{1,7}|\n/g) ?? []))],
  });

  const events = await codex.turn({ type: "user_turn", items: text("plan it"), ...plan });

  const deltas = events.flatMap((msg) => (msg.type === "plan_delta" ? [msg.delta] : []));
  expect(deltas.join("")).toBe("1. Paint\n");
  expect(events.find((msg) => msg.type === "item_completed")).toMatchObject({
    item: { type: "Plan", text: "1. Paint\n" },
  });
  expect(events.find((msg) => msg.type === "agent_message")).toEqual({
    type: "agent_message",
    message: "Here it is.\nFine?",
  });
  expect(JSON.stringify(codex.prompts[0]?.input)).toContain("<collaboration_mode>");
});

test("the model's questions wait for the user's answers, which may be given by the turn's id", async () => {
  await using codex = await startTestCodex({
    model: [calls("request_user_input", { questions }), says("Red it is.")],
  });
  codex.submit({ type: "user_turn", items: text("plan it"), ...plan });

  const { msg } = await codex.until("request_user_input");
  const response = { answers: { color: { answers: ["Red"] } } };
  codex.submit({ type: "user_input_answer", id: msg.turn_id ?? "", response });
  await codex.until("task_complete");

  expect(msg.questions).toEqual([{ ...questions[0], isOther: true, isSecret: false }]);
  expect(codex.prompts[1]?.input.at(-1)).toMatchObject({ output: JSON.stringify(response) });
});

test("outside plan mode questions are refused, and inside it the checklist is", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [
      calls("request_user_input", { questions }),
      says("Hm."),
      calls("update_plan", { plan: [] }),
      says("Hm."),
    ],
  });

  await codex.turn({ type: "user_input", items: text("ask") });
  await codex.turn({ type: "user_turn", items: text("plan"), ...plan });

  const outputs = codex.prompts
    .at(-1)
    ?.input.flatMap((item) => ("output" in item ? [item.output] : []));
  expect(outputs).toEqual([
    "request_user_input is unavailable in Default mode",
    expect.stringContaining("not allowed in Plan mode"),
  ]);
});

test("an answer without a pending question is an error under its id", async () => {
  await using codex = await startTestCodex();

  codex.submit({ type: "user_input_answer", id: "x", response: { answers: {} } }, "a");
  const { id, msg } = await codex.until("error");

  expect({ id, message: msg.message }).toEqual({
    id: "a",
    message: "No question waits for an answer as x",
  });
});

test("the model gets a change of tone once", async () => {
  await using codex = await startTestCodex({ model: [says("1"), says("2")] });

  await codex.turn({ type: "user_turn", items: text("a"), personality: "friendly" });
  await codex.turn({ type: "user_turn", items: text("b"), personality: "friendly" });

  const told = JSON.stringify(codex.prompts[1]?.input).split("<personality_spec>").length - 1;
  expect(told).toBe(1);
});
