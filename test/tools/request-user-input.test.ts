import { expect, test } from "vitest";
import { requestUserInput } from "../../src/tools/request-user-input.js";
import type { ToolContext } from "../../src/tools/tool.js";

const option = { label: "Yes", description: "Do it." };
const question = { id: "go", header: "Go", question: "Shall I?", options: [option] };

async function run(questions: unknown[], { mode = "plan", inEveryMode = false } = {}) {
  const asked: unknown[] = [];
  const context = {
    turn: { collaboration_mode: { mode } },
    async askUserInput(given: unknown) {
      asked.push(given);
      return { answers: { go: { answers: ["Yes"] } } };
    },
  } as unknown as ToolContext;
  const tool = requestUserInput({ inEveryMode });
  return { asked, output: await tool.run({ text: JSON.stringify({ questions }) }, context) };
}

test("questions go to the user, who may always answer something else", async () => {
  const { asked, output } = await run([question]);

  expect(asked).toEqual([[{ ...question, isOther: true, isSecret: false }]]);
  expect(JSON.parse(output.text)).toEqual({ answers: { go: { answers: ["Yes"] } } });
});

test("in default mode the user is not asked, unless the era allows it in every mode", async () => {
  const refused = await run([question], { mode: "default" });
  const asked = await run([question], { mode: "default", inEveryMode: true });

  expect(refused).toEqual({
    asked: [],
    output: { text: "request_user_input is unavailable in Default mode", success: false },
  });
  expect(asked.output.success).toBe(true);
});

test.each([
  ["no questions", []],
  ["a question without options", [question, { ...question, options: [] }]],
])("%s is a mistake of the model", async (_, questions) => {
  const { asked, output } = await run(questions);

  expect(output.text).toBe("request_user_input requires non-empty options for every question");
  expect(asked).toEqual([]);
});
