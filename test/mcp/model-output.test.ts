import { expect, test } from "vitest";
import { toModelOutput } from "../../src/mcp/index.js";

const picture = {
  content: [
    { type: "text", text: "see" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource_link", uri: "memo:a" },
  ],
};

test("structured content goes before content, and an error goes as it is", () => {
  const both = { content: [{ type: "text", text: "x" }], structuredContent: { said: "hi" } };

  expect(output(both, "parts if pictures")).toEqual({ text: '{"said":"hi"}', success: true });
  expect(output({ ...both, structuredContent: null, isError: true }, "parts if pictures")).toEqual({
    text: '[{"type":"text","text":"x"}]',
    success: false,
  });
  expect(output("it failed", "parts if pictures")).toEqual({ text: "it failed", success: false });
});

test("an earlier era has the fields of content in the order of the alphabet", () => {
  const result = { content: [{ type: "text", text: "x", annotations: { b: 1, a: 2 } }] };

  expect(output(result, "sorted text").text).toBe(
    '[{"annotations":{"b":1,"a":2},"text":"x","type":"text"}]',
  );
});

test("pictures go to the model as parts where the era has them", () => {
  expect(output(picture, "sorted text")).toEqual({
    text: '[{"text":"see","type":"text"},{"data":"aGk=","mimeType":"image/png","type":"image"},{"type":"resource_link","uri":"memo:a"}]',
    success: true,
  });
  expect(output(picture, "parts if pictures")).toEqual({
    text: 'see\n{"type":"resource_link","uri":"memo:a"}',
    parts: [
      { type: "input_text", text: "see" },
      { type: "input_image", image_url: "data:image/png;base64,aGk=" },
      { type: "input_text", text: '{"type":"resource_link","uri":"memo:a"}' },
    ],
    success: true,
  });
});

test("later eras add the wall time and send all content as parts", () => {
  const broke = { content: [{ type: "text", text: "it broke" }], isError: true };

  expect(output({ content: [], structuredContent: { said: "hi" } }, "timed parts")).toEqual({
    text: 'Wall time: 1.2500 seconds\nOutput:\n{"said":"hi"}',
    success: true,
  });
  expect(output(broke, "timed parts")).toEqual({
    text: "Wall time: 1.2500 seconds\nOutput:\nit broke",
    parts: [
      { type: "input_text", text: "Wall time: 1.2500 seconds\nOutput:" },
      { type: "input_text", text: "it broke" },
    ],
    success: false,
  });
  expect(output("no such tool", "timed parts").parts).toEqual([
    { type: "input_text", text: "Wall time: 1.2500 seconds\nOutput:" },
    { type: "input_text", text: "no such tool" },
  ]);
});

function output(
  result: Parameters<typeof toModelOutput>[0],
  form: Parameters<typeof toModelOutput>[1],
) {
  return toModelOutput(result, form, 1250);
}
