import { expect, test } from "vitest";
import { recordedAgents, recordedTurns } from "../../../src/engine/agents/recorded-agents.js";
import type { EventMsg } from "../../../src/protocol/types.js";

const began = { type: "task_started", turn_id: "t", model_context_window: null } as EventMsg;
const ended = (answer: string | null) =>
  ({ type: "task_complete", last_agent_message: answer }) as EventMsg;
const aborted = { type: "turn_aborted", reason: "interrupted" } as EventMsg;

test.each([
  ["no turn", [], undefined],
  ["a turn that was cut off", [began], { isOpen: true, answered: 0 }],
  ["a turn with an answer", [began, ended("yes")], { isOpen: false, answered: 1, answer: "yes" }],
  ["a turn without an answer", [began, ended(null)], { isOpen: false, answered: 0 }],
  ["a turn that was interrupted", [began, aborted], { isOpen: false, wasAborted: true }],
  [
    "an answer before a turn that was cut off",
    [began, ended("yes"), began],
    { isOpen: true, answered: 1 },
  ],
])("the log of an agent has %s", (_, events, expected) => {
  const { last, ...answers } = recordedTurns(events as EventMsg[]);

  if (expected === undefined) expect(last).toBeUndefined();
  else expect({ ...last, ...answers }).toMatchObject(expected);
});

const activity = (kind: string, agent_path = "/root/one") =>
  ({
    type: "item_completed",
    thread_id: "r",
    turn_id: "t",
    item: { type: "SubAgentActivity", id: "i", kind, agent_thread_id: "a", agent_path },
  }) as EventMsg;

test.each([
  [["started"], { isOpen: true, completed: 0 }],
  [["started", "completed"], { isOpen: false, completed: 1 }],
  [["started", "completed", "interacted"], { isOpen: true, completed: 1 }],
  [["started", "interrupted"], { isOpen: false, completed: 0 }],
])("the log of its parent has an agent that %s", (kinds, expected) => {
  expect(recordedAgents(kinds.map((kind) => activity(kind)))).toMatchObject([expected]);
});

const call = (tool: string, status = "completed") =>
  ({
    type: "item_completed",
    thread_id: "r",
    turn_id: "t",
    item: {
      type: "CollabAgentToolCall",
      id: "i",
      tool,
      status,
      sender_thread_id: "r",
      receiver_thread_ids: ["a"],
      prompt: null,
      model: null,
      reasoning_effort: null,
      agents_states: {},
    },
  }) as unknown as EventMsg;

test.each<[EventMsg[], object[]]>([
  [[call("spawnAgent")], [{ isOpen: true, generation: 1, threadId: "a" }]],
  [[call("spawnAgent"), call("closeAgent")], [{ isOpen: false }]],
  [[call("spawnAgent"), call("closeAgent"), call("sendInput")], [{ isOpen: true }]],
  [[call("spawnAgent"), activity("interrupted")], [{ isOpen: false, generation: 1 }]],
  [[call("spawnAgent", "failed")], []],
  [[call("wait")], []],
])(
  "agents of the first generation are found in the calls that started them",
  (events, expected) => {
    expect(recordedAgents(events)).toMatchObject(expected);
  },
);

test("agents with an invalid path, or that were never started, are left out", () => {
  expect(recordedAgents([activity("started", "/x"), activity("completed")])).toEqual([]);
});
