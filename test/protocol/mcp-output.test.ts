import { expect, test } from "vitest";
import { outputText, toMcpOutput, toOutputParts } from "../../src/protocol/mcp-output.js";

const text = { type: "text", text: "hello" };

test.each([
  [{ content: [text], structuredContent: { a: 1 } }, '{"a":1}', true],
  [{ content: [text], structuredContent: null }, JSON.stringify([text]), true],
  [{ content: [text], isError: true }, JSON.stringify([text]), false],
  ["tool call error: no", "tool call error: no", false],
])("%j is told to the model", (result, output, success) => {
  expect(toMcpOutput(result)).toEqual({ output, success });
});

test("images become content parts, text alone does not", () => {
  const picture = { type: "image", data: "Zm9v", mimeType: "image/png" };

  expect(toOutputParts([text])).toBeUndefined();
  expect(toOutputParts([text, picture, { type: "audio", data: "x" }])).toEqual([
    { type: "input_text", text: "hello" },
    { type: "input_image", image_url: "data:image/png;base64,Zm9v" },
    { type: "input_text", text: '{"type":"audio","data":"x"}' },
  ]);
  expect(toOutputParts([{ type: "image", data: "data:image/png;base64,Zm9v" }])).toEqual([
    { type: "input_image", image_url: "data:image/png;base64,Zm9v" },
  ]);
});

test("the text of an answer leaves pictures and blanks out", () => {
  const image = { type: "input_image" as const, image_url: "data:," };
  const line = (words: string) => ({ type: "input_text" as const, text: words });

  expect(outputText([line("a"), image, line("  "), line("b")])).toBe("a\nb");
  expect(outputText([line(" "), image])).toBeUndefined();
});
