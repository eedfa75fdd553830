import { expect, test } from "vitest";
import { toAnthropicMessages } from "../../../src/model/anthropic/messages.js";
import type { ModelPart } from "../../../src/model/lowered/conversation.js";

const thought = (state: Record<string, unknown>, isOfTurn = true): ModelPart => ({
  type: "reasoning",
  text: "Hm.",
  state,
  isOfTurn,
});

test.each([
  [thought({ signature: "s" }), [{ type: "thinking", thinking: "Hm.", signature: "s" }]],
  [thought({ redacted: "r" }), [{ type: "redacted_thinking", data: "r" }]],
  [thought({ signature: "s" }, false), []],
])("thoughts go back as they came, while their turn lasts", (part, blocks) => {
  const text = { type: "text" as const, text: "a" };

  expect(toAnthropicMessages([{ role: "model", parts: [part, text] }])).toEqual([
    { role: "assistant", content: [...blocks, text] },
  ]);
});
