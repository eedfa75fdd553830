import { expect, test } from "vitest";
import { collectUserMessages, toCompactedItems } from "../../../src/rollout/index.js";
import { message, texts } from "../support.js";

test("a compacted conversation keeps the newest messages that fit", () => {
  const parts = {
    form: "messages",
    initialContext: [message("user", "<environment_context>e</environment_context>")],
    userMessages: ["too old", `begin${"x".repeat(200)}end`, "newest"],
    summary: "",
  } as const;

  const shown = texts(toCompactedItems(parts, 10));

  expect(shown).toEqual([
    "<environment_context>e</environment_context>",
    "beginxxxxxxxxxxx…44 tokens truncated…xxxxxxxxxxxxxend",
    "newest",
    "(no summary available)",
  ]);
});

test("former messages are collected in each format", () => {
  const items = [
    message("user", "<environment_context>e</environment_context>"),
    message("user", "one"),
    message("assistant", "two"),
    message("user", "<turn_aborted>stopped</turn_aborted>"),
    message("user", "an old summary"),
  ];

  expect(collectUserMessages(items, "bridge")).toEqual(["one", "an old summary"]);
  expect(collectUserMessages(items, "messages", new Set(["an old summary"]))).toEqual([
    "one",
    "<turn_aborted>stopped</turn_aborted>",
  ]);
});
