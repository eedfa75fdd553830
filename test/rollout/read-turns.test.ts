import { expect, test } from "vitest";
import { readTurn, readTurnOutline, readTurns } from "../../src/rollout/index.js";
import { event, meta, said, temporaryHome } from "./support.js";

const lines = [
  meta(),
  event("task_started", { turn_id: "a" }),
  ...said("user", "one"),
  event("agent_reasoning", { text: "x" }),
  event("agent_reasoning", { text: "y" }),
  ...said("assistant", "two"),
  event("task_complete", { turn_id: "a" }),
  event("task_started", { turn_id: "gone" }),
  ...said("user", "taken back"),
  event("task_complete", { turn_id: "gone" }),
  event("thread_rolled_back", { num_turns: 1 }),
  ...said("user", "three"),
  ...said("assistant", "four"),
  ...said("user", "five"),
  event("turn_aborted", { reason: "interrupted" }),
];

test("a turn of an outline is the same as among all turns", async () => {
  await using home = await temporaryHome();
  const path = home.write("sessions/2025/01/01/a.jsonl", lines);

  const { turns } = await readTurns(path);
  const outline = await readTurnOutline(path);
  const again = await Promise.all(outline.turns.map(readTurn));

  expect(again).toEqual(turns);
  expect(turns.map(({ id, status, itemCount }) => [id, status, itemCount])).toEqual([
    ["a", "completed", 3],
    ["turn-2", "completed", 2],
    ["turn-3", "interrupted", 1],
  ]);
  expect(outline.turns.map(({ items }) => items)).toEqual([[], [], []]);
});

test("an outline of a long conversation contains no items", async () => {
  await using home = await temporaryHome();
  const text = "x".repeat(100_000);
  const turn = [...said("user", "go"), ...said("assistant", text)];
  const path = home.write("sessions/2025/01/01/b.jsonl", [
    meta(),
    ...Array.from({ length: 100 }, () => turn).flat(),
  ]);

  const outline = await readTurnOutline(path);

  expect(JSON.stringify(outline).length).toBeLessThan(100 * 500);
  expect(await readTurn(outline.turns[99] as never)).toMatchObject({
    id: "turn-100",
    items: [{ id: "item-199" }, { id: "item-200", content: [{ type: "Text", text }] }],
  });
});
