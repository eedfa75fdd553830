import { expect, test } from "vitest";
import { listenRoutedModel } from "../../interop/routed-model.js";

test("a routed model answers by the last message, in any order of requests", async () => {
  const model = await listenRoutedModel([
    { when: /hello/, answer: [{ message: "Hello." }] },
    { when: /function_call_output/, answer: [{ message: "It ran." }] },
  ]);
  const ask = async (...input: object[]) => {
    const body = JSON.stringify({ input });
    return (await fetch(`${model.baseUrl}/responses`, { method: "POST", body })).text();
  };
  const userMessage = (text: string) => ({
    type: "message",
    content: [{ type: "input_text", text }],
  });

  const answers = [
    await ask(userMessage("hello"), { type: "function_call_output", output: "" }),
    await ask(userMessage("hello")),
    await ask(userMessage("hello"), userMessage("what else")),
  ];
  await model.close();

  expect(answers.map((answer) => /"text":"(.+?)"\}/.exec(answer)?.[1])).toEqual([
    "It ran.",
    "Hello.",
    'No route fits \\"what else\\"',
  ]);
  expect(model.requests).toHaveLength(3);
});
