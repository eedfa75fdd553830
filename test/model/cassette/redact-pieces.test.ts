import { expect, test } from "vitest";
import { createRedactor } from "../../../src/lib/redact.js";
import { redactPieces } from "../../../src/model/cassette/redact-pieces.js";

const redact = createRedactor(["hush-hush-0815"]);
const pieces = ["is hus", "h-hush", "-0815", " there"];
const stream = (events: object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** Events with a piece of a text, as the protocols have them. */
const forms: Record<string, (piece: string) => object> = {
  "the Responses API": (delta) => ({
    type: "response.output_text.delta",
    item_id: "m1",
    output_index: 0,
    content_index: 0,
    delta,
  }),
  "Chat Completions": (content) => ({ id: "c", choices: [{ index: 0, delta: { content } }] }),
  "calls of Chat Completions": (args) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 1, function: { arguments: args } }] } }],
  }),
  "the Messages API": (text) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text },
  }),
  "the Gemini API": (text) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
};

test.each(Object.entries(forms))("a secret in pieces of %s is redacted", (_, toEvent) => {
  const redacted = redactPieces(stream(pieces.map(toEvent)), redact);

  expect(redacted).toBe(stream(["is [REDACTED] there", "", "", ""].map(toEvent)));
});

test("pieces of different items are different texts, and all others stay as they are", () => {
  const toEvent = forms["the Responses API"] ?? (() => ({}));
  const events = pieces.map((piece, index) => ({ ...toEvent(piece), item_id: `m${index}` }));
  const body = `: comment\nevent: x\ndata:{"a":  1}\n\n${stream(events)}data: [DONE]\n\n`;

  expect(redactPieces(body, redact)).toBe(body);
});
