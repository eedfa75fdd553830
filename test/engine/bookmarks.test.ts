import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Prompt } from "../../src/model/types.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, fails, hangs, says } from "../support/model.js";

const input = (words: string, last_response_id?: string) => ({
  type: "user_input" as const,
  items: text(words),
  ...(last_response_id === undefined ? {} : { last_response_id }),
});

const turn = (words: string, last_response_id?: string) => ({
  ...input(words, last_response_id),
  type: "user_turn" as const,
});

/** Texts of a request, without the opening messages. */
function said(prompt: Prompt | undefined): string[] {
  return (prompt?.input ?? []).flatMap((item) => {
    if (item.type !== "message") return [];
    const words = item.content.map((part) => ("text" in part ? part.text : "")).join("");
    return words.startsWith("<environment_context>") ? [] : [words];
  });
}

async function rolloutPath(codex: TestCodex): Promise<string> {
  codex.submit({ type: "get_path" });
  return (await codex.until("conversation_path")).msg.path;
}

test.each([
  ["user_input", input],
  ["user_turn", turn],
] as const)("[documents D1] %s continues from a bookmark", async (_, op) => {
  await using codex = await startTestCodex({
    model: [says("One."), says("Two."), says("Other two.")],
  });

  const first = await codex.turn(op("first"));
  await codex.turn(op("second"));
  await codex.turn(op("other second", "resp_0"));

  expect(first.at(-1)).toMatchObject({ type: "task_complete", response_id: "resp_0" });
  expect(said(codex.prompts[2])).toEqual(["first", "One.", "other second"]);
});

test("[documents D1] an unknown bookmark is an error, and the running task continues", async () => {
  await using codex = await startTestCodex({ model: [hangs(says("half")), says("Joined.")] });

  const running = codex.submit(input("go"));
  await codex.until("agent_message_delta");
  const id = codex.submit(input("from nowhere", "no_such"));
  const { msg } = await codex.until("error");
  codex.submit({ type: "interrupt" });
  const aborted = await codex.until("turn_aborted");

  expect(codex.events.filter((event) => event.id === id)).toHaveLength(1);
  expect(msg.message).toContain("No response no_such to continue from");
  expect(msg.message).toContain("`store = true`");
  expect(aborted.id).toBe(running);
});

test("[documents D1] input with a bookmark replaces the task that runs", async () => {
  await using codex = await startTestCodex({
    model: [says("One."), hangs(says("half")), says("Anew.")],
  });
  await codex.turn(input("first"));

  const running = codex.submit(input("second"));
  await codex.until("agent_message_delta");
  await codex.until("agent_message_delta");
  await codex.turn(input("instead", "resp_0"));

  expect(codex.events.find(({ msg }) => msg.type === "turn_aborted")).toMatchObject({
    id: running,
    msg: { reason: "replaced" },
  });
  expect(said(codex.prompts[2])).toEqual(["first", "One.", "instead"]);
});

test("[documents D2] a later session of the same home continues from a bookmark and records its origin", async () => {
  const model = [calls("shell", { command: ["true"] }), says("One."), says("Two.")];
  await using codex = await startTestCodex({ model });
  await codex.turn(input("first"));
  await codex.turn(input("second"));
  const source = await rolloutPath(codex);
  const sourceId = source.slice(-"00000000-0000-0000-0000-000000000000.jsonl".length, -6);
  const recorded = await readFile(source, "utf8");
  const ids = [...recorded.matchAll(/"response_id":"(\w+)"/g)].map(([, id]) => id);
  const [, end] = [...new Set(ids)];

  await using later = await startTestCodex({ model: [says("From the past.")], sharing: codex });
  const events = await later.turn(input("on from there", end));
  const copy = await rolloutPath(later);

  expect(events.at(-1)).toMatchObject({ last_agent_message: "From the past." });
  expect(said(later.prompts[0])).toEqual(["first", "One.", "on from there"]);
  const lines = (await readFile(copy, "utf8")).trim().split("\n");
  const origin = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "compacted");
  expect(origin.payload).toMatchObject({ response_id: end, forked_from_id: sourceId });
  expect(await readFile(source, "utf8")).toBe(recorded);
});

test("[documents D2] a bookmark inside a task leads a later session back into it", async () => {
  const model = [calls("shell", { command: ["echo", "hi"] }), says("One.")];
  await using codex = await startTestCodex({ model });
  await codex.turn(input("first"));

  await using later = await startTestCodex({ model: [says("Other.")], sharing: codex });
  await later.turn(input("do something else", "resp_0"));

  const items = later.prompts[0]?.input.map(({ type }) => type).slice(-4);
  expect(items).toEqual(["message", "function_call", "function_call_output", "message"]);
  expect(said(later.prompts[0])).toEqual(["first", "do something else"]);
});

test("[documents D2] a session that continued from elsewhere can be resumed there", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two.")] });
  await codex.turn(input("first"));
  await codex.turn(input("second"));
  await using later = await startTestCodex({
    model: [says("Copied."), says("Third."), says("Fourth.")],
    sharing: codex,
  });
  await later.turn(input("in the copy", "resp_1"));
  const path = await rolloutPath(later);

  later.submit({ type: "configure_session", resume_path: path }, "resume");
  await later.until("session_configured");
  await later.turn(input("and on"));
  await later.turn(input("back to the source", "resp_1"));

  expect(said(later.prompts[1])).toEqual([
    ...["first", "One.", "second", "Two.", "in the copy", "Copied."],
    "and on",
  ]);
  expect(said(later.prompts[2])).toEqual([
    ...["first", "One.", "second", "Two."],
    "back to the source",
  ]);
});

test("[documents D2] the model is informed if the source had other settings", async () => {
  await using codex = await startTestCodex({ model: [says("One.")] });
  await codex.turn(input("first"));

  const config = { approval_policy: "on-request", sandbox_mode: "read-only" };
  await using later = await startTestCodex({ model: [says("Two.")], sharing: codex, config });
  await later.turn(input("second", "resp_0"));

  const [, environment] = (later.prompts[0]?.input ?? []).filter((item) =>
    JSON.stringify(item).includes("<environment_context>"),
  );
  expect(JSON.stringify(environment)).toContain("read-only");
});

const stored = {
  model_providers: {
    mock: {
      name: "mock",
      base_url: "http://127.0.0.1:1/v1",
      wire_api: "responses",
      store: true,
    },
  },
};

test("[documents D2] with `store = true` an id that no rollout knows goes to the provider", async () => {
  await using codex = await startTestCodex({
    config: stored,
    model: [says("Own."), says("From the provider."), says("And on.")],
  });
  await codex.turn(input("of another branch"));

  await codex.turn(input("continue", "resp_of_the_api"));
  await codex.turn(input("on"));

  const [, second, third] = codex.prompts;
  expect(second?.previousResponseId).toBe("resp_of_the_api");
  expect(said(second)).toEqual(["continue"]);
  expect(third?.previousResponseId).toBe("resp_1");
  expect(said(third)).toEqual(["on"]);
});

test("[documents D2] a refusal of such an id is reported, and the turn is not sent without its context", async () => {
  const refusal = { error: { message: "Previous response not found", code: "not_found" } };
  await using codex = await startTestCodex({
    config: stored,
    model: [fails(400, refusal), says("Never.")],
  });

  const events = await codex.turn(input("continue", "resp_gone"));

  expect(events.map(({ type }) => type)).toContain("error");
  expect(codex.prompts).toHaveLength(1);
});

test("[documents D2] every step inside a task reports its response, to continue from there", async () => {
  await using codex = await startTestCodex({
    items: true,
    model: [calls("shell", { command: ["true"] }), says("Done."), says("Otherwise.")],
  });

  const events = await codex.turn(input("go"));
  const steps = events.flatMap((msg) => (msg.type === "step_complete" ? [msg.response_id] : []));
  await codex.turn(input("rewind", steps[0]));

  expect(steps).toEqual(["resp_0", "resp_1"]);
  expect(said(codex.prompts[2])).toEqual(["go", "rewind"]);
});
