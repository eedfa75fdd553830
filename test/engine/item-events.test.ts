import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

/** Item events without the ids that all of them have. */
function items(events: readonly EventMsg[]): unknown[] {
  return events.flatMap((msg) =>
    msg.type === "item_started" || msg.type === "item_completed" ? [[msg.type, msg.item]] : [],
  );
}

test("messages of the user and the model are emitted as items before the corresponding events", async () => {
  await using codex = await startTestCodex({ model: [says("Hello.", "Hel", "lo.")], items: true });

  const events = await codex.turn({ type: "user_input", items: text("hi") });

  const user = { type: "UserMessage", id: expect.any(String), content: text("hi") };
  const agent = { type: "AgentMessage", id: expect.any(String), content: [] };
  expect(items(events)).toEqual([
    ["item_started", user],
    ["item_completed", user],
    ["item_started", agent],
    ["item_completed", { ...agent, content: [{ type: "Text", text: "Hello." }] }],
  ]);
  const types = events.map(({ type }) => type);
  expect(types.lastIndexOf("item_completed") + 1).toBe(types.indexOf("agent_message"));
});

test("a delta carries the id of the item it belongs to", async () => {
  await using codex = await startTestCodex({ model: [says("Hello.", "Hel", "lo.")], items: true });

  await codex.turn({ type: "user_input", items: text("hi") });

  const started = codex.events.filter(({ msg }) => msg.type === "item_started").at(-1);
  const deltas = codex.events.filter(({ msg }) => msg.type === "agent_message_delta");
  expect(deltas.map(({ item_id }) => item_id)).toEqual([started?.item_id, started?.item_id]);
});

const action = { type: "find_in_page", url: "https://a.example/", pattern: "needle" } as const;
const looksForIt = {
  type: "response.output_item.done",
  item: { type: "web_search_call", id: "ws_1", status: "completed", action },
};
const known = { type: "WebSearch", id: "ws_1", query: "'needle' in https://a.example/", action };
const unknown = { ...known, query: "", action: { type: "other" } };

test.each([
  ["0.104", unknown],
  ["0.166", known],
] as const)("in %s what is done on the web begins as %j", async (era, beginning) => {
  const model = [[looksForIt, ...says("Found.")]];
  await using codex = await startTestCodex({ era, model, items: true });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(items(events).slice(2, 4)).toEqual([
    ["item_started", beginning],
    ["item_completed", known],
  ]);
  expect(events.find(({ type }) => type === "web_search_end")).toMatchObject({
    call_id: "ws_1",
    query: known.query,
    action,
  });
});

test("in 2025 only searches of the web are reported", async () => {
  const search = { ...looksForIt.item, id: "ws_2", action: { type: "search", query: "quires" } };
  const model = [[looksForIt, { ...looksForIt, item: search }, ...says("Found.")]];
  await using codex = await startTestCodex({ era: "0.45", model, items: true });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(JSON.stringify(items(events))).not.toContain("needle");
  const ends = events.filter(({ type }) => type === "web_search_end");
  expect(ends).toMatchObject([{ call_id: "ws_2", query: "quires" }]);
});

test("a plan alone is no message, so no message begins", async () => {
  const answer = "<proposed_plan>\n1. Paint\n</proposed_plan>";
  await using codex = await startTestCodex({ model: [says(answer, answer)], items: true });

  const events = await codex.turn({
    type: "user_turn",
    items: text("plan"),
    collaboration_mode: { mode: "plan" },
  });

  const types = items(events).map((entry) => (entry as [string, { type: string }])[1].type);
  expect(types).toEqual(["UserMessage", "UserMessage", "Plan", "Plan"]);
});

test("a submission that is named by a UUID names its turn", async () => {
  await using codex = await startTestCodex({ model: [says("Hello.")] });
  const id = "0198c0de-0000-7000-8000-000000000001";

  codex.submit({ type: "user_input", items: text("hi") }, id);
  const { turn_id } = await codex.until("task_complete");

  expect(turn_id).toBe(id);
});
