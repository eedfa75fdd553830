import { expect, test } from "vitest";
import { readConversation } from "../../src/rollout/index.js";
import { event, item, line, message, meta, said, temporaryHome, texts } from "./support.js";

const environment = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>";

const usage = {
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 2,
  reasoning_output_tokens: 0,
  total_tokens: 3,
};

test("a conversation is rebuilt as recorded, with its events", async () => {
  await using home = await temporaryHome();
  const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: null };
  const context = {
    cwd: "/w",
    approval_policy: "never",
    sandbox_policy: { type: "read-only" },
    model: "m",
    summary: "auto",
  };
  const path = home.write("r.jsonl", [
    meta(),
    meta({ id: "another" }),
    item(message("system", "no item for the model")),
    item({ type: "other" }),
    item(message("user", environment)),
    ...said("user", "hello"),
    line("turn_context", { ...context, model: "old" }),
    line("turn_context", context),
    ...said("assistant", "hi"),
    event("token_count", { info, rate_limits: null }),
    event("thread_settings_applied", {}),
    event("thread_name_updated", { thread_id: "x", thread_name: "Greeting" }),
  ]);

  const { id, items, initialMessages, turnContext, tokens, name, warnings } =
    await readConversation(path);

  expect({ id, name, warnings }).toEqual({
    id: "0192c7a1-0000-7000-8000-000000000001",
    name: "Greeting",
    warnings: [],
  });
  expect(texts(items)).toEqual([environment, "hello", "hi"]);
  expect(initialMessages).toEqual([
    { type: "user_message", message: "hello", kind: "plain" },
    { type: "agent_message", message: "hi" },
    { type: "token_count", info, rate_limits: null },
  ]);
  expect(turnContext).toEqual({ ...context, sandbox_policy: { mode: "read-only" } });
  expect(tokens?.info?.total_token_usage).toEqual(usage);
});

test("a compaction replaces earlier items with the recorded ones", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", "one"),
    ...said("assistant", "two"),
    line("compacted", { message: "S", replacement_history: [message("user", "short")] }),
    ...said("user", "three"),
  ]);

  const { items } = await readConversation(path);

  expect(texts(items)).toEqual(["short", "three"]);
});

test.each([
  ["0.42.0", "bridge"],
  ["0.104.0", "messages"],
])(
  "a compaction of version %s that recorded only its summary is made again",
  async (version, form) => {
    await using home = await temporaryHome();
    const path = home.write("r.jsonl", [
      meta({ cli_version: version }),
      item(message("user", environment)),
      ...said("user", "one"),
      ...said("assistant", "two"),
      line("compacted", { message: "FIRST SUMMARY" }),
      ...said("user", "three"),
      line("compacted", { message: "SECOND SUMMARY" }),
      ...said("user", "four"),
    ]);

    const shown = texts((await readConversation(path)).items);

    if (form === "messages") {
      expect(shown).toEqual([environment, "one", "three", "SECOND SUMMARY", "four"]);
    } else {
      expect(shown).toHaveLength(3);
      expect(shown[0]).toBe(environment);
      for (const text of ["one", "three", "SECOND SUMMARY"]) expect(shown[1]).toContain(text);
      expect(shown[2]).toBe("four");
    }
  },
);

test("the engine's own opening takes the place of the recorded one, where it is given", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    item(message("user", environment)),
    ...said("user", "one"),
    line("compacted", { message: "S" }),
  ]);

  const { items } = await readConversation(path, { initialContext: [message("user", "fresh")] });

  expect(texts(items)).toEqual(["fresh", "one", "S"]);
});

test("turns that were taken back are not shown to the model", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    item(message("user", environment)),
    ...said("user", "one"),
    ...said("assistant", "two"),
    ...said("user", "three"),
    ...said("assistant", "four"),
    event("thread_rolled_back", { num_turns: 1 }),
    ...said("user", "five"),
  ]);

  const { items } = await readConversation(path);

  expect(texts(items)).toEqual([environment, "one", "two", "five"]);
});

test("a bookmark is after the items of its response, not after unanswered input", async () => {
  await using home = await temporaryHome();
  const call = { type: "function_call", name: "f", arguments: "{}", call_id: "c" } as const;
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", "one"),
    ...said("assistant", "two"),
    event("task_complete", { last_agent_message: "two", response_id: "r1" }),
    ...said("user", "three"),
    item(call),
    item({ type: "function_call_output", call_id: "c", output: "done" }),
    ...said("user", "while it ran"),
    event("turn_aborted", { reason: "interrupted", response_id: "r2" }),
  ]);

  const { bookmarks, items, lastResponseId } = await readConversation(path);

  expect([...bookmarks].map(([id, { length }]) => [id, length])).toEqual([
    ["r1", 2],
    ["r2", 5],
  ]);
  expect(texts(items.slice(0, 5))).toEqual([
    "one",
    "two",
    "three",
    "function_call",
    "function_call_output",
  ]);
  expect(lastResponseId).toBe("r2");
});

test("a response that is recorded before the outputs of its calls includes them", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", "one"),
    item({ type: "custom_tool_call", name: "f", input: "", call_id: "c" }),
    line("token_usage_record", { response_id: "r1" }),
    item({ type: "custom_tool_call_output", call_id: "c", output: "done" }),
    item(message("user", "more")),
    item({ type: "custom_tool_call_output", call_id: "late", output: "not its own" }),
  ]);

  const { bookmarks } = await readConversation(path);

  expect(bookmarks.get("r1")?.length).toBe(3);
});

test("bookmarks before a compaction stay, though their items are not at hand", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", "one"),
    ...said("assistant", "two"),
    event("task_complete", { response_id: "r1" }),
    line("compacted", { message: "S", replacement_history: [message("user", "short")] }),
    event("task_complete", { response_id: "r2" }),
  ]);

  const { bookmarks } = await readConversation(path);

  expect([...bookmarks].map(([id, { length }]) => [id, length])).toEqual([
    ["r1", undefined],
    ["r2", 1],
  ]);
  const { items } = await readConversation(path, { until: bookmarks.get("r1")?.end ?? 0 });
  expect(texts(items)).toEqual(["one", "two"]);
});

test("going back to a response keeps the bookmarks up to it at hand", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", "one"),
    ...said("assistant", "two"),
    event("task_complete", { response_id: "r1" }),
    ...said("user", "three"),
    ...said("assistant", "four"),
    event("task_complete", { response_id: "r2" }),
    line("compacted", {
      message: "",
      response_id: "r1",
      replacement_history: [message("user", "one"), message("assistant", "two")],
    }),
    ...said("user", "five"),
  ]);

  const { bookmarks, items, lastResponseId } = await readConversation(path);

  expect(texts(items)).toEqual(["one", "two", "five"]);
  expect([...bookmarks].map(([id, { length }]) => [id, length])).toEqual([
    ["r1", 2],
    ["r2", undefined],
  ]);
  expect(lastResponseId).toBe("r1");
});

test("items of newer versions are converted to the events that all clients know", async () => {
  await using home = await temporaryHome();
  const place = { thread_id: "t", turn_id: "u" };
  const path = home.write("r.jsonl", [
    meta(),
    event("item_completed", {
      ...place,
      item: { type: "UserMessage", id: "1", content: [{ type: "text", text: "hello" }] },
    }),
    event("item_completed", {
      ...place,
      item: { type: "AgentMessage", id: "2", content: [{ type: "Text", text: "hi" }] },
    }),
    event("item_completed", { ...place, item: { type: "FileChange", id: "3", changes: {} } }),
    event("item_completed", { ...place, item: { type: "Plan", id: "4", text: "a plan" } }),
  ]);

  const { initialMessages, warnings } = await readConversation(path);

  expect(warnings).toEqual([]);
  expect(initialMessages.map(({ type }) => type)).toEqual([
    "user_message",
    "agent_message",
    "item_completed",
  ]);
});
