import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { RolloutRecorder, readConversation } from "../../src/rollout/index.js";
import { nextOrdinal } from "../../src/rollout/numbered-lines.js";
import { id, item, message, meta, type TestHome, temporaryHome } from "./support.js";

function numbered(lines: readonly object[]): object[] {
  return lines.map((line, ordinal) => ({ ordinal, ...line }));
}

async function goOn(home: TestHome, name: string): Promise<unknown[]> {
  const path = join(home.path, name);
  const options = { path, now: () => 0, onFailure() {}, create: "never" } as const;
  const recorder = new RolloutRecorder(options);
  recorder.append({ type: "response_item", payload: message("user", "one") });
  recorder.append({ type: "response_item", payload: message("user", "two") });
  await recorder.close();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(-2);
  return lines.map((line) => JSON.parse(line).ordinal);
}

test("appending to a numbered file continues its numbers", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", numbered([meta(), item(message("user", "zero"))]));

  expect(await goOn(home, "r.jsonl")).toEqual([2, 3]);
});

test("a file without numbers stays without", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", [meta(), item(message("user", "zero"))]);

  expect(await goOn(home, "r.jsonl")).toEqual([undefined, undefined]);
});

test("a truncated last line is skipped", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", [...numbered([meta()]), '{"ordinal":1,"type":"respo']);

  expect(await goOn(home, "r.jsonl")).toEqual([1, 2]);
});

test("the last line may be longer than one read", async () => {
  await using home = await temporaryHome();
  const long = item(message("user", "ü".repeat(300_000)));
  const path = home.write("r.jsonl", numbered([meta(), long]));

  expect(nextOrdinal(path)).toBe(2);
});

test("a file that is missing, empty or no log has no numbers", async () => {
  await using home = await temporaryHome();
  const files = [
    join(home.path, "none"),
    home.write("empty", []),
    home.write("text", ["a\nb\n"]),
    home.write("odd", ['{"ordinal":"7"}\n']),
  ];

  expect(files.map((path) => nextOrdinal(path))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const name = `rollout-2025-01-01T00-00-00-${id}.jsonl`;
const turn: EventMsg[] = [
  { type: "task_started", turn_id: "t1", model_context_window: null },
  { type: "user_message", message: "look", images: ["data:image/png;base64,AA=="] },
  { type: "agent_reasoning", text: "Hm." },
  { type: "agent_message", message: "Seen." },
  { type: "task_complete", turn_id: "t1", last_agent_message: "Seen." },
];

async function record(home: TestHome, first: object, events: EventMsg[]) {
  const path = home.write(name, [first]);
  const recorder = new RolloutRecorder({ path, now: () => 7, onFailure() {}, create: "never" });
  for (const payload of events) recorder.append({ type: "event_msg", payload });
  await recorder.close();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(1);
  return { path, payloads: lines.map((line) => JSON.parse(line).payload) };
}

test("in a file with numbers messages are written as items of their turn", async () => {
  await using home = await temporaryHome();

  const { payloads } = await record(home, { ordinal: 0, ...meta() }, turn);

  const about = { thread_id: id, turn_id: "t1", started_at_ms: 7, completed_at_ms: 7 };
  const ids = payloads.slice(1, 4).map(({ item }) => item.id);
  expect(new Set(ids).size).toBe(3);
  expect(payloads).toEqual([
    turn[0],
    {
      type: "item_completed",
      ...about,
      item: {
        type: "UserMessage",
        id: ids[0],
        content: [
          { type: "text", text: "look", text_elements: [] },
          { type: "image", image_url: "data:image/png;base64,AA==" },
        ],
      },
    },
    {
      type: "item_completed",
      ...about,
      item: { type: "Reasoning", id: ids[1], summary_text: ["Hm."], raw_content: [] },
    },
    {
      type: "item_completed",
      ...about,
      item: { type: "AgentMessage", id: ids[2], content: [{ type: "Text", text: "Seen." }] },
    },
    turn[4],
  ]);
});

test("resuming such a file returns the usual events", async () => {
  await using home = await temporaryHome();

  const { path } = await record(home, { ordinal: 0, ...meta() }, turn);
  const { initialMessages } = await readConversation(path);

  const messages = initialMessages.filter((msg) => /message|reasoning/.test(msg.type));
  expect(
    messages.map((msg) => ({ ...msg, local_images: undefined, text_elements: undefined })),
  ).toEqual(turn.slice(1, 4));
});

test("events outside of turns, and those in files without numbers, stay as they are", async () => {
  await using home = await temporaryHome();

  const outside = await record(home, { ordinal: 0, ...meta() }, turn.slice(1));
  const unnumbered = await record(home, meta(), turn);

  expect(outside.payloads).toEqual(turn.slice(1));
  expect(unnumbered.payloads).toEqual(turn);
});
