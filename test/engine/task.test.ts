import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Event } from "../../src/protocol/types.js";
import { defineTool, ok, parameters } from "../../src/tools/index.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, hangs, says } from "../support/model.js";

describe("interrupting", () => {
  test("an interrupt ends the turn under the id that began it, and the next one works", async () => {
    await using codex = await startTestCodex({ model: [hangs(says("one")), says("After.")] });
    const id = codex.submit({ type: "user_input", items: text("go") });
    await codex.until("agent_message_delta");

    codex.submit({ type: "interrupt" });
    const aborted = await codex.until("turn_aborted");
    const next = await codex.turn({ type: "user_input", items: text("next") });

    expect(aborted).toMatchObject({ id, msg: { type: "turn_aborted", reason: "interrupted" } });
    expect(next.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "After." });
    expect(userTexts(codex.prompts[1])).toEqual(["go", "next"]);
  });

  test("a tool still running after its task was aborted emits nothing", async () => {
    let release = () => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const stubborn = defineTool({
      name: "stubborn",
      description: "Ignores its signal.",
      input: parameters({}, []),
      async run(_input, { emit }) {
        await new Promise<void>((resolve) => {
          release = resolve;
          begin();
        });
        emit({ type: "background_event", message: "too late" });
        return ok("late");
      },
    });
    await using codex = await startTestCodex({
      model: [calls("stubborn", {}), says("After.")],
      tools: [stubborn],
    });
    codex.submit({ type: "user_input", items: text("go") });
    await begun;

    codex.submit({ type: "interrupt" });
    await codex.until("turn_aborted");
    release();
    await codex.turn({ type: "user_input", items: text("next") });

    expect(codex.events.map((event) => event.msg.type)).not.toContain("background_event");
    expect(JSON.stringify(codex.prompts[1])).not.toContain("late");
  });
});

describe("input while a task runs", () => {
  test("user_input joins the task: the model sees it exactly once, even behind its last answer", async () => {
    await using codex = await startTestCodex({
      model: [
        [...says("one two", "one ", "two"), { pause_ms: 200 }],
        says("Seen."),
        says("Third."),
      ],
    });
    codex.submit({ type: "user_input", items: text("first") }, "t1");
    await codex.until("agent_message_delta");

    codex.submit({ type: "user_input", items: text("also this") }, "t2");
    await codex.until("task_complete");
    await codex.turn({ type: "user_input", items: text("third") });

    expect(userTexts(codex.prompts[1])).toEqual(["first", "also this"]);
    expect(userTexts(codex.prompts[2])).toEqual(["first", "also this", "third"]);
    expect(codex.events.filter((event) => event.id === "t2")).toEqual([]);
  });

  test("user_turn replaces the task, which ends first", async () => {
    await using codex = await startTestCodex({ model: [hangs(says("one")), says("New.")] });
    codex.submit({ type: "user_input", items: text("old") }, "old");
    await codex.until("agent_message_delta");

    codex.submit({ type: "user_turn", items: text("new") }, "new");
    await codex.until("task_complete");

    expect(outline(codex.events).slice(-7)).toEqual([
      "old turn_aborted",
      "new task_started",
      "new user_message",
      "new agent_message_delta",
      "new agent_message",
      "new token_count",
      "new task_complete",
    ]);
    expect(codex.events.find((event) => event.msg.type === "turn_aborted")?.msg).toMatchObject({
      reason: "replaced",
    });
  });

  test("input without items completes at once and asks nothing", async () => {
    await using codex = await startTestCodex();

    const events = await codex.turn({ type: "user_input", items: [] });

    expect(events).toEqual([{ type: "task_complete", last_agent_message: null }]);
    expect(codex.prompts).toEqual([]);
  });
});

describe("bookmarks", () => {
  test("a turn continues from an earlier response, without anything after it", async () => {
    await using codex = await startTestCodex({
      model: [says("One."), says("Two."), says("Other two."), says("Back on two.")],
    });
    const first = bookmark(await codex.turn({ type: "user_turn", items: text("1") }));
    const second = bookmark(await codex.turn({ type: "user_turn", items: text("2") }));

    await codex.turn({ type: "user_turn", items: text("2b"), last_response_id: first });
    await codex.turn({ type: "user_turn", items: text("3"), last_response_id: second });

    expect(userTexts(codex.prompts[2])).toEqual(["1", "2b"]);
    expect(userTexts(codex.prompts[3])).toEqual(["1", "2", "3"]);
  });

  test("an interrupted task names the last response it completed", async () => {
    await using codex = await startTestCodex({
      model: [calls("update_plan", { plan: [] }), hangs(says("half")), says("Resumed.")],
    });
    codex.submit({ type: "user_turn", items: text("go") });
    await codex.until("agent_message_delta");
    codex.submit({ type: "interrupt" });
    const { msg } = await codex.until("turn_aborted");

    const id = msg.response_id ?? "";
    const events = await codex.turn({ type: "user_turn", items: text("on"), last_response_id: id });

    expect(events.at(-1)).toMatchObject({ last_agent_message: "Resumed." });
    expect(codex.prompts[2]?.input.map((item) => item.type)).toEqual([
      "message",
      "message",
      "function_call",
      "function_call_output",
      "message",
    ]);
  });

  test("an unknown bookmark is an error and changes nothing", async () => {
    await using codex = await startTestCodex({ model: [hangs(says("one"))] });
    codex.submit({ type: "user_turn", items: text("go") });
    await codex.until("agent_message_delta");

    codex.submit(
      { type: "user_turn", items: text("x"), model: "other", last_response_id: "no" },
      "x",
    );
    const { id, msg } = await codex.until("error");

    expect({ id, msg }).toMatchObject({
      id: "x",
      msg: { message: expect.stringContaining("No response no to continue from") },
    });
    expect(codex.events.map((event) => event.msg.type)).not.toContain("turn_aborted");
  });
});

describe("the rollout", () => {
  test("has everything a resumed session needs, in order", async () => {
    await using codex = await startTestCodex({ model: [says("Hello.")], era: "0.42" });
    await codex.turn({ type: "user_input", items: text("go") });

    codex.submit({ type: "get_path" });
    const { msg } = await codex.until("conversation_path");
    const lines = (await readFile(msg.path, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

    expect(lines.map(({ type, payload }) => `${type} ${payload.type ?? ""}`.trim())).toEqual([
      "session_meta",
      "response_item message",
      "response_item message",
      "event_msg user_message",
      "turn_context",
      "event_msg token_count",
      "event_msg agent_message",
      "event_msg token_count",
      "response_item message",
    ]);
    expect(lines[0].payload).toMatchObject({ id: msg.conversation_id, cwd: codex.workspace });
  });
});

function userTexts(prompt: { input: readonly unknown[] } | undefined): string[] {
  const messages = (prompt?.input ?? []) as { role?: string; content?: { text?: string }[] }[];
  return messages
    .filter((item) => item.role === "user")
    .map((item) => item.content?.[0]?.text ?? "")
    .filter((words) => !words.startsWith("<environment_context>"));
}

function outline(events: readonly Event[]): string[] {
  return events.map(({ id, msg }) => `${id} ${msg.type}`);
}

function bookmark(events: readonly unknown[]): string {
  return (events.at(-1) as { response_id: string }).response_id;
}
