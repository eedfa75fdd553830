import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { breaks, calls, fails, says } from "../support/model.js";

const hello = { type: "user_input", items: text("hello world") } as const;

test("a summary takes the place of the conversation; the user's own words stay", async () => {
  await using codex = await startTestCodex({
    model: [says("First."), says("SUMMARY"), says("Next.")],
  });
  await codex.turn(hello);

  const events = await codex.turn({ type: "compact" });
  await codex.turn({ type: "user_input", items: text("next") });

  expect(events.map(({ type }) => type)).toEqual([
    "task_started",
    "token_count",
    "token_count",
    "agent_message",
    "task_complete",
  ]);
  expect(codex.prompts[1]?.tools).toEqual([]);
  const after = texts(codex, 2);
  expect(after.slice(1)).toEqual(["hello world", expect.stringContaining("SUMMARY"), "next"]);
});

test("a summary is asked for as tersely as the model answers by default", async () => {
  await using codex = await startTestCodex({
    config: { model: "gpt-5.5" },
    model: [says("First."), says("SUMMARY")],
  });
  await codex.turn(hello);

  await codex.turn({ type: "compact" });

  expect(codex.prompts.map(({ verbosity }) => verbosity)).toEqual(["low", "low"]);
});

test("a summary that fails leaves the conversation as it was", async () => {
  await using codex = await startTestCodex({
    model: [says("First."), fails(400, { error: { message: "no" } }), says("Next.")],
  });
  await codex.turn(hello);

  const events = await codex.turn({ type: "compact" });
  await codex.turn({ type: "user_input", items: text("next") });

  expect(events.map(({ type }) => type)).toContain("error");
  expect(texts(codex, 2).slice(1)).toEqual(["hello world", "First.", "next"]);
});

test("a conversation that fills its window is compacted automatically and continues", async () => {
  const big = (message: string, total_tokens: number) => [
    { message },
    { completed: true, total_tokens } as const,
  ];
  await using codex = await startTestCodex({
    model: [
      [...calls("update_plan", { plan: [] }), { completed: true, total_tokens: 500 } as const],
      big("SUMMARY", 50),
      big("Done.", 60),
    ],
    config: { model_auto_compact_token_limit: 200 },
  });

  const events = await codex.turn(hello);

  expect(events.at(-1)).toMatchObject({ last_agent_message: "Done." });
  expect(codex.prompts[1]?.tools).toEqual([]);
  expect(texts(codex, 2).slice(1)).toEqual(["hello world", expect.stringContaining("SUMMARY")]);
});

test("a conversation that is still too long after compaction ends with an error that names the limit", async () => {
  const big = (message: string) => [{ message }, { completed: true, total_tokens: 500 } as const];
  await using codex = await startTestCodex({
    model: [
      big("First."),
      [{ message: "SUMMARY" }, { completed: true, total_tokens: 50 }],
      big("Big."),
    ],
    config: { model_auto_compact_token_limit: 200 },
  });

  const events = await codex.turn(hello);

  expect(events.slice(-2)).toMatchObject([
    { type: "error", message: expect.stringContaining("limit of 200 tokens") },
    { type: "task_complete" },
  ]);
});

test("a model that reports a full window is asked for a summary, and the step is repeated", async () => {
  await using codex = await startTestCodex({
    model: [
      says("First."),
      breaks("context_length_exceeded", "too long"),
      says("SUMMARY"),
      says("Went on."),
    ],
  });
  await codex.turn(hello);

  const events = await codex.turn({ type: "user_input", items: text("more") });

  expect(events.at(-1)).toMatchObject({ last_agent_message: "Went on." });
});

test("the log keeps all there was before a summary", async () => {
  await using codex = await startTestCodex({ model: [says("First."), says("SUMMARY")] });
  await codex.turn(hello);
  await codex.turn({ type: "compact" });

  codex.submit({ type: "get_path" });
  const { msg } = await codex.until("conversation_path");
  const log = await readFile(msg.path, "utf8");

  expect(log).toContain('"First."');
  expect(log).toContain('"type":"compacted"');
});

function texts(codex: TestCodex, request: number): string[] {
  return (codex.prompts[request]?.input ?? []).flatMap((item) =>
    item.type === "message" ? item.content.map((part) => ("text" in part ? part.text : "")) : [],
  );
}
