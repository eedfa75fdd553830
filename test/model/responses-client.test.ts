import { describe, expect, test } from "vitest";
import { both, reasons, says } from "../support/model.js";
import { ask } from "./ask.js";

describe("an answer", () => {
  test("arrives in pieces, after its rate limits", async () => {
    const script = [
      [
        { headers: { "x-codex-primary-used-percent": "5", "x-codex-turn-state": "sticky" } },
        ...both(reasons("think"), says("Hello.", "Hel", "lo.")),
      ],
    ];

    const { items } = await ask(script, "0.42");

    expect(items).toEqual([
      {
        type: "accepted",
        rateLimits: {
          primary: { used_percent: 5, window_minutes: null, resets_in_seconds: null },
          secondary: null,
        },
        turnState: "sticky",
      },
      { type: "created", responseId: "resp_0" },
      {
        type: "item_added",
        item: {
          type: "reasoning",
          id: "rs_0_0",
          summary: [],
          content: null,
          encrypted_content: null,
        },
      },
      { type: "reasoning_part", itemId: "rs_0_0", index: 0 },
      { type: "reasoning_delta", delta: "think", itemId: "rs_0_0", index: 0 },
      {
        type: "item_done",
        item: {
          type: "reasoning",
          id: "rs_0_0",
          summary: [{ type: "summary_text", text: "think" }],
          content: null,
          encrypted_content: "ENC",
        },
      },
      {
        type: "item_added",
        item: { type: "message", id: "msg_0_1", role: "assistant", content: [] },
      },
      { type: "text_delta", delta: "Hel", itemId: "msg_0_1" },
      { type: "text_delta", delta: "lo.", itemId: "msg_0_1" },
      {
        type: "item_done",
        item: {
          type: "message",
          id: "msg_0_1",
          role: "assistant",
          content: [{ type: "output_text", text: "Hello." }],
        },
      },
      {
        type: "completed",
        responseId: "resp_0",
        usage: {
          input_tokens: 100,
          cached_input_tokens: 20,
          output_tokens: 30,
          reasoning_output_tokens: 5,
          total_tokens: 130,
        },
      },
    ]);
  });

  test("is over with `completed`, though the stream stays open", async () => {
    const { items } = await ask([[{ completed: true, usage: null }, { hang: true }]], "0.104");

    expect(items.at(-1)).toEqual({ type: "completed", responseId: "resp_0", usage: undefined });
  });
});
