import { expect, test } from "vitest";
import { eventsOfCompletedItem, eventsOfStartedItem } from "../../src/protocol/legacy-events.js";
import type { TurnItem } from "../../src/protocol/types.js";

const search: TurnItem = {
  type: "WebSearch",
  id: "ws",
  query: "q",
  action: { type: "search", query: "q" },
};
const reasoning: TurnItem = {
  type: "Reasoning",
  id: "r",
  summary_text: ["one", "two"],
  raw_content: ["raw"],
};

test("only a web search has an event when it starts", () => {
  expect(eventsOfStartedItem(search)).toEqual([{ type: "web_search_begin", call_id: "ws" }]);
  expect(eventsOfStartedItem(reasoning)).toEqual([]);
});

test.each<[TurnItem, object[]]>([
  [
    search,
    [
      {
        type: "web_search_end",
        call_id: "ws",
        query: "q",
        action: { type: "search", query: "q" },
      },
    ],
  ],
  [
    reasoning,
    [
      { type: "agent_reasoning", text: "one" },
      { type: "agent_reasoning", text: "two" },
    ],
  ],
  [
    {
      type: "AgentMessage",
      id: "m",
      content: [
        { type: "Text", text: "a" },
        { type: "Text", text: "b" },
      ],
    },
    [
      { type: "agent_message", message: "a" },
      { type: "agent_message", message: "b" },
    ],
  ],
  [{ type: "Plan", id: "p", text: "t" }, []],
  [{ type: "ContextCompaction", id: "c" }, [{ type: "context_compacted" }]],
])("what older clients are told of %j", (item, events) => {
  expect(eventsOfCompletedItem(item, { showRawReasoning: false })).toEqual(events);
});

test("raw reasoning has an event if it is shown", () => {
  expect(eventsOfCompletedItem(reasoning, { showRawReasoning: true }).at(-1)).toEqual({
    type: "agent_reasoning_raw_content",
    text: "raw",
  });
});

test("a message of several texts is one, and its elements keep their place in bytes", () => {
  const element = { byte_range: { start: 0, end: 1 } };
  const item: TurnItem = {
    type: "UserMessage",
    id: "u",
    content: [
      { type: "text", text: "é", text_elements: [element] },
      { type: "image", image_url: "data:," },
      { type: "text", text: "b", text_elements: [element] },
      { type: "local_image", path: "/a.png" },
    ],
  };

  expect(eventsOfCompletedItem(item, { showRawReasoning: false })).toEqual([
    {
      type: "user_message",
      message: "éb",
      images: ["data:,"],
      local_images: ["/a.png"],
      text_elements: [element, { byte_range: { start: 2, end: 3 } }],
    },
  ]);
});
