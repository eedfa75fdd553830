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

test("a command that ends after its turn belongs to it, whichever turn runs then", async () => {
  await using home = await temporaryHome();
  const output = { stdout: "", stderr: "", aggregated_output: "made", formatted_output: "" };
  const result = { ...output, exit_code: 0, duration: { secs: 9, nanos: 0 } };
  const command = { command: ["make"], cwd: "/p", parsed_cmd: [] };
  const ends = (turn_id: string, call_id: string) =>
    event("exec_command_end", { turn_id, call_id, ...command, ...result });
  const item = { type: "CommandExecution", id: "c3", ...command, status: "completed" };
  const path = home.write("sessions/2025/01/01/c.jsonl", [
    meta(),
    event("task_started", { turn_id: "a" }),
    ...said("user", "one"),
    event("turn_aborted", { turn_id: "a", reason: "interrupted" }),
    ends("a", "c1"),
    event("task_started", { turn_id: "b" }),
    ...said("user", "two"),
    ends("a", "c2"),
    ...said("assistant", "three"),
    event("task_complete", { turn_id: "b" }),
    event("item_completed", { thread_id: "t", turn_id: "a", item }),
  ]);

  const { turns } = await readTurns(path);
  const again = await Promise.all((await readTurnOutline(path)).turns.map(readTurn));

  expect(again).toEqual(turns);
  expect(turns.map(({ id, itemCount, items }) => [id, itemCount, items.map((one) => one.type)])) //
    .toEqual([
      ["a", 4, ["UserMessage", "Event", "Event", "Event"]],
      ["b", 2, ["UserMessage", "AgentMessage"]],
    ]);
  expect(turns[0]?.items.map((one) => one.id).slice(1)).toEqual(["c1", "c2", "c3"]);
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
