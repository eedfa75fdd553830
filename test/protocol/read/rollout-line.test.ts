import { describe, expect, test } from "vitest";
import {
  parseAuthMethod,
  parseHistoryEntry,
  parseRolloutLine,
} from "../../../src/protocol/read/index.js";

const timestamp = "2025-09-05T16:53:11.850Z";
const meta = { id: "c", timestamp, cwd: "/a", originator: "o", cli_version: "1" };

describe("a rollout line", () => {
  test.each([
    ["as files have it", { timestamp, type: "session_meta", payload: { ...meta, git: null } }],
    ["with an item", { timestamp, item: { type: "session_meta", payload: { meta, git: null } } }],
    ["with a keyed item", { timestamp, item: { session_meta: { meta, git: null } } }],
  ])("is read %s", (_, line) => {
    expect(parseRolloutLine(line)).toEqual({
      timestamp,
      type: "session_meta",
      payload: { ...meta, git: null },
    });
  });

  test("keeps the history that replaces another, item by item", () => {
    const payload = { message: "m", replacement_history: [{ type: "hologram" }] };

    expect(parseRolloutLine({ timestamp, type: "compacted", payload })).toEqual({
      timestamp,
      type: "compacted",
      payload: { message: "m", replacement_history: [{ type: "other" }] },
    });
  });

  test("has its policies in the one form", () => {
    const payload = {
      cwd: "/a",
      approval_policy: "onRequest",
      sandbox_policy: { type: "read-only" },
      model: "m",
      summary: "auto",
      later: null,
    };

    expect(parseRolloutLine({ timestamp, type: "turn_context", payload })).toMatchObject({
      payload: {
        approval_policy: "on-request",
        sandbox_policy: { mode: "read-only" },
        later: null,
      },
    });
  });

  test.each([
    [{ timestamp, type: "world_state", payload: {} }, "unsupported"],
    [{ timestamp, item: {} }, "unsupported"],
    [{ timestamp, type: "session_meta", payload: { id: "c" } }, "invalid_request"],
    [{ timestamp, type: "compacted" }, "invalid_request"],
    [{ type: "compacted", payload: { message: "m" } }, "invalid_request"],
    [null, "invalid_request"],
    ["text", "invalid_request"],
  ])("%j is refused as %s", (line, code) => {
    expect(() => parseRolloutLine(line)).toThrow(expect.objectContaining({ code }));
  });
});

test("a history entry has the conversation under either name", () => {
  const entry = { conversation_id: "c", ts: 1, text: "t" };

  expect(parseHistoryEntry(entry)).toEqual(entry);
  expect(parseHistoryEntry({ session_id: "c", ts: 1, text: "t" })).toEqual(entry);
  expect(() => parseHistoryEntry({ ts: 1, text: "t" })).toThrow("conversation_id is missing");
});

test.each([
  ["apikey", "apikey"],
  ["apiKey", "apikey"],
  ["API_KEY", "apikey"],
  ["chatGpt", "chatgpt"],
  ["chatgpt", "chatgpt"],
  ["magic", undefined],
  [7, undefined],
])("the way to log in %j is %j", (value, method) => {
  expect(parseAuthMethod(value)).toBe(method);
});
