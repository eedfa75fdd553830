import { expect, test } from "vitest";
import type { UserInput } from "../../../src/protocol/rpc/v2/user-input.js";
import type { InputItem, TurnItem } from "../../../src/protocol/types.js";
import {
  toInputItem,
  toThreadItem,
  toUserMessageItem,
} from "../../../src/server/items/messages.js";

const range = { start: 0, end: 2 };

test.each<[UserInput, InputItem]>([
  [
    {
      type: "text",
      text: "hi",
      text_elements: [{ byteRange: range, placeholder: "x" }],
    },
    { type: "text", text: "hi", text_elements: [{ byte_range: range, placeholder: "x" }] },
  ],
  [
    { type: "image", url: "https://example.com/a.png" },
    { type: "image", image_url: "https://example.com/a.png" },
  ],
  [
    { type: "localImage", path: "/a.png" },
    { type: "local_image", path: "/a.png" },
  ],
  [
    { type: "skill", name: "review", path: "/s" },
    { type: "skill", name: "review", path: "/s" },
  ],
  [
    { type: "mention", name: "docs", path: "app://docs" },
    { type: "mention", name: "docs", path: "app://docs" },
  ],
])("the input %j is %j in the engine, and back", (input, item) => {
  expect(toInputItem(input)).toEqual(item);
  expect(toUserMessageItem("m1", [item]).content).toEqual([input]);
});

test("text without elements has no field in the engine and an empty list in v2", () => {
  const input = { type: "text", text: "hi", text_elements: [] } as UserInput;

  const item = toInputItem(input);

  expect(item).toEqual({ type: "text", text: "hi" });
  expect(toUserMessageItem("m1", [item], "client-1")).toEqual({
    type: "userMessage",
    id: "m1",
    clientId: "client-1",
    content: [input],
  });
});

test.each<[object, object]>([
  [
    { type: "AgentMessage", content: [{ text: "a" }, { text: "b" }], phase: "final_answer" },
    { type: "agentMessage", text: "ab", phase: "final_answer" },
  ],
  [
    { type: "AgentMessage", content: [], phase: "later" },
    { text: "", phase: null },
  ],
  [
    { type: "Plan", text: "1." },
    { type: "plan", text: "1." },
  ],
  [
    { type: "Reasoning", summary_text: ["s"] },
    { type: "reasoning", summary: ["s"], content: [] },
  ],
  [{ type: "ContextCompaction" }, { type: "contextCompaction" }],
  [
    { type: "WebSearch", query: "q" },
    { type: "webSearch", query: "q", action: null },
  ],
  [
    { type: "WebSearch", query: "q", action: { type: "open_page", url: "u" } },
    { action: { type: "openPage", url: "u" } },
  ],
  [
    { type: "WebSearch", query: "q", action: { type: "find_in_page", pattern: "p" } },
    { action: { type: "findInPage", url: null, pattern: "p" } },
  ],
  [
    { type: "WebSearch", query: "q", action: { type: "search", query: "q" } },
    { action: { type: "search", query: "q", queries: null } },
  ],
  [{ type: "WebSearch", query: "q", action: { type: "dream" } }, { action: { type: "other" } }],
])("%j is shown as %j", (item, shown) => {
  expect(toThreadItem({ id: "i1", ...item } as unknown as TurnItem)).toMatchObject({
    id: "i1",
    ...shown,
  });
});
