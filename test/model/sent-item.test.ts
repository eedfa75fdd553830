import { expect, test } from "vitest";
import { toSentItem } from "../../src/model/sent-item.js";
import type { ResponseItem } from "../../src/protocol/types.js";

const reasoning: ResponseItem = { type: "reasoning", summary: [] };

test.each(["rs_1", "msg_1", "resp_rs_1"])("the id %s is sent", (id) => {
  expect(toSentItem({ ...reasoning, id }, "all")).toMatchObject({ id });
});

test.each(["7f3c", "rs-1", "rs_"])(
  "the id %s of another server is sent to no complete API",
  (id) => {
    expect(toSentItem({ ...reasoning, id }, "all")).not.toHaveProperty("id");
    expect(toSentItem({ ...reasoning, id }, "own")).toMatchObject({ id });
  },
);

test("an item without an id gets one with the prefix of its type", () => {
  const call = { type: "function_call", name: "f", arguments: "{}", call_id: "c" } as const;

  expect(toSentItem(reasoning, "all")).toMatchObject({ id: expect.stringMatching(/^rs_./) });
  expect(toSentItem(call, "all")).toMatchObject({ id: expect.stringMatching(/^fc_./) });
});
