import { describe, expect, test } from "vitest";
import type { AgentStatus } from "../../../src/agents/index.js";
import { toState } from "../../../src/tools/agents/collab-call.js";
import { firstGenerationTools } from "../../../src/tools/agents/multi-agent-v1.js";
import { agent, callWith, type FakeAgents, root } from "./fake-control.js";

function call(name: string, input: unknown, settings?: FakeAgents) {
  const found = firstGenerationTools.find(({ spec }) => "name" in spec && spec.name === name);
  if (found === undefined) throw new Error(`No tool ${name}`);
  return callWith(found, input, settings);
}

const worker = agent("/root/agent_1", { generation: 1, model: "m", effort: "low" });
const id = worker.threadId;
const otherId = id.replace(/1$/, "9");

describe("ids that are none", () => {
  test.each([
    ["agent_1", "ParseChar { character: 'g', index: 2 }"],
    ["/root/a", "ParseChar { character: '/', index: 1 }"],
    [`${id.slice(0, -1)}z`, "ParseChar { character: 'z', index: 36 }"],
    ["", "ParseSimpleLength { len: 0 }"],
    ["abc", "ParseSimpleLength { len: 3 }"],
    ["a-b", "ParseGroupCount { count: 2 }"],
    [`${id}-0`, "ParseGroupCount { count: 6 }"],
    [id.slice(1), "ParseGroupLength { group: 0, len: 7, index: 1 }"],
    [id.replace("7de2", "7de"), "ParseGroupLength { group: 2, len: 3, index: 15 }"],
    [`${id}0`, "ParseGroupLength { group: 4, len: 13, index: 25 }"],
  ])("%j is refused by every tool that takes one", async (target, why) => {
    const failure = { text: `invalid agent id ${target}: Error(${why})`, success: false };
    const outputs = [
      await call("send_input", { target, message: "x" }),
      await call("close_agent", { target }),
      await call("resume_agent", { id: target }),
      await call("wait_agent", { targets: [id, target] }),
    ];

    for (const { output, calls, items } of outputs) {
      expect(output).toEqual(failure);
      expect([calls, items]).toEqual([[], []]);
    }
  });
});

describe("message and items", () => {
  test.each([
    [{}, "Provide one of: message or items"],
    [{ message: "a", items: [] }, "Provide either message or items, but not both"],
  ])("%j is refused", async (input, problem) => {
    const spawned = await call("spawn_agent", input);
    const sent = await call("send_input", { ...input, target: id });

    for (const { output, calls, items } of [spawned, sent]) {
      expect(output).toEqual({ text: problem, success: false });
      expect([calls, items]).toEqual([[], []]);
    }
  });

  test.each([
    [{ message: "a" }, "a"],
    [{ message: "" }, ""],
    [
      {
        items: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [{ items: [{ type: "mention", name: "x", path: "/x" }] }, "/x"],
    [{ items: [{ type: "image", image_url: "data:x" }, { text: "see" }] }, "data:x\nsee"],
    [{ items: [{ type: "audio" }] }, ""],
  ])("%j is the text %j", async (input, text) => {
    const { calls } = await call("send_input", { ...input, target: id }, { agents: [worker] });

    expect(calls).toEqual([["send", worker.path, text, true]]);
  });
});

describe("spawn_agent", () => {
  test.each([
    [{}, "none"],
    [{ fork_context: false }, "none"],
    [{ fork_context: true }, "all"],
  ])("with %j the history is %s", async (input, history) => {
    const { calls, output } = await call(
      "spawn_agent",
      { message: "go", ...input },
      { spawned: worker, agents: [root, worker] },
    );

    expect(calls).toEqual([["spawn", { message: "go", history, asUserInput: true }]]);
    expect(JSON.parse(output.text)).toEqual({ agent_id: id, nickname: "Folio" });
  });

  test("clients see the model and the effort that the agent has in fact", async () => {
    const input = { message: "go", model: "asked", reasoning_effort: "high" };
    const { items } = await call("spawn_agent", input, { spawned: worker });

    expect(items.map(([, item]) => item)).toMatchObject([
      {
        tool: "spawnAgent",
        status: "inProgress",
        prompt: "go",
        model: "asked",
        reasoning_effort: "high",
        receiver_thread_ids: [],
        agents_states: {},
      },
      {
        status: "completed",
        model: "m",
        reasoning_effort: "low",
        receiver_thread_ids: [id],
        agents_states: { [id]: { status: "pendingInit", message: null } },
      },
    ]);
  });

  test("a failure fails the item and the call", async () => {
    const { items, output } = await call("spawn_agent", { message: "x" }, { spawned: "no room" });

    expect(output).toEqual({ text: "no room", success: false });
    expect(items.at(-1)?.[1]).toMatchObject({ status: "failed", agents_states: {} });
  });
});

describe("operations on one agent", () => {
  test.each([
    ["send_input", { target: otherId, message: "x" }],
    ["close_agent", { target: otherId }],
    ["resume_agent", { id: otherId }],
  ])("%s of an unknown agent fails, and clients see it", async (name, input) => {
    const { items, output, calls } = await call(name, input, { agents: [worker] });

    expect(output).toEqual({ text: `agent with id ${otherId} not found`, success: false });
    expect(calls).toEqual([]);
    expect(items.at(-1)?.[1]).toMatchObject({
      status: "failed",
      receiver_thread_ids: [otherId],
      agents_states: { [otherId]: { status: "notFound", message: null } },
    });
  });

  test.each([
    [undefined, []],
    [false, []],
    [true, [["interrupt", worker.path]]],
  ])("send_input with interrupt %s", async (interrupt, before) => {
    const input = { target: id, message: "more", interrupt };
    const { calls, output } = await call("send_input", input, { agents: [worker] });

    expect(calls).toEqual([...before, ["send", worker.path, "more", true]]);
    expect(output).toEqual({ text: '{"submission_id":"call-1"}', success: true });
  });

  test("close_agent returns the status before", async () => {
    const agents = [{ ...worker, status: { completed: "Done" } }];
    const { calls, output, items } = await call("close_agent", { target: id }, { agents });

    expect(calls).toEqual([["close", worker.path]]);
    expect(JSON.parse(output.text)).toEqual({ previous_status: { completed: "Done" } });
    expect(items.at(-1)?.[1]).toMatchObject({
      tool: "closeAgent",
      status: "completed",
      agents_states: { [id]: { status: "completed", message: "Done" } },
    });
  });

  test.each([
    ["send_input", { target: id, message: "x" }],
    ["resume_agent", { id }],
  ])("a problem of %s fails the call", async (name, input) => {
    const settings = { agents: [worker], problem: "no thread" };
    const { output, items } = await call(name, input, settings);

    expect(output).toEqual({ text: "no thread", success: false });
    expect(items.at(-1)?.[1]).toMatchObject({ status: "failed" });
  });

  test("resume_agent returns the status", async () => {
    const agents = [agent("/root/agent_1", { status: "shutdown" })];
    const { calls, output } = await call("resume_agent", { id }, { agents });

    expect(calls).toEqual([["resume", "/root/agent_1"]]);
    expect(output.text).toBe('{"status":"shutdown"}');
  });
});

describe("wait_agent", () => {
  test("needs ids", async () => {
    expect((await call("wait_agent", { targets: [] })).output).toEqual({
      text: "agent ids must be non-empty",
      success: false,
    });
  });

  test.each([
    [undefined, 30_000],
    [1, 10_000],
    [-1, 10_000],
    [60_000, 60_000],
    [9e9, 3_600_000],
  ])("timeout_ms %s waits for %d ms", async (timeout_ms, ms) => {
    const { calls } = await call("wait_agent", { targets: [id], timeout_ms }, { agents: [worker] });

    expect(calls).toEqual([["waitFor", [worker.path], ms]]);
  });

  test.each<[AgentStatus, boolean, object]>([
    ["running", false, { status: {}, timed_out: true }],
    ["pending_init", false, { status: {}, timed_out: true }],
    [{ completed: "x" }, true, { status: { [id]: { completed: "x" } }, timed_out: false }],
    [{ errored: "x" }, true, { status: { [id]: { errored: "x" } }, timed_out: false }],
    ["shutdown", true, { status: { [id]: "shutdown" }, timed_out: false }],
  ])("an agent with status %j: done %s", async (status, isDone, expected) => {
    const agents = [{ ...worker, status }];
    const { output } = await call("wait_agent", { targets: [id] }, { agents, isDone });

    expect(JSON.parse(output.text)).toEqual(expected);
  });

  test("for unknown agents alone it does not wait", async () => {
    const { calls, output, items } = await call("wait_agent", { targets: [otherId] });

    expect(calls).toEqual([]);
    expect(JSON.parse(output.text)).toEqual({
      status: { [otherId]: "not_found" },
      timed_out: false,
    });
    expect(items.at(-1)?.[1]).toMatchObject({
      agents_states: { [otherId]: { status: "notFound", message: null } },
    });
  });
});

test.each<[AgentStatus, object]>([
  ["pending_init", { status: "pendingInit", message: null }],
  ["running", { status: "running", message: null }],
  ["interrupted", { status: "interrupted", message: null }],
  ["shutdown", { status: "shutdown", message: null }],
  ["not_found", { status: "notFound", message: null }],
  [{ completed: null }, { status: "completed", message: null }],
  [{ completed: "x" }, { status: "completed", message: "x" }],
  [{ errored: "y" }, { status: "errored", message: "y" }],
])("clients see the status %j as %j", (status, state) => {
  expect(toState(status)).toEqual(state);
});
