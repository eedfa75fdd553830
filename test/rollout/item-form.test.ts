import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { RolloutRecorder, readConversation } from "../../src/rollout/index.js";
import { id, meta, type TestHome, temporaryHome } from "./support.js";

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

test("whoever goes on with such a file is told the same as ever", async () => {
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
