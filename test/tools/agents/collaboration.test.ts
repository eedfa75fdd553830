import { describe, expect, test } from "vitest";
import { collaborationTools } from "../../../src/tools/agents/collaboration.js";
import type { Tool, ToolContext } from "../../../src/tools/tool.js";
import { agent, callWith, type FakeAgents, root } from "./fake-control.js";

function toolOf(name: string): Tool {
  const found = collaborationTools.find(({ spec }) => "name" in spec && spec.name === name);
  if (found === undefined) throw new Error(`No tool ${name}`);
  return found;
}

const call = (name: string, input: unknown, settings?: FakeAgents) =>
  callWith(toolOf(name), input, settings);
const worker = agent("/root/tests");
const task = { task_name: "tests", message: "Run them" };

describe("wrong arguments", () => {
  test.each([
    ["spawn_agent", {}, "missing field `task_name`"],
    ["spawn_agent", { task_name: "a" }, "missing field `message`"],
    ["spawn_agent", { task_name: 1, message: "x" }, "invalid type"],
    ["spawn_agent", "", "EOF while parsing"],
    ["spawn_agent", "[]", "invalid"],
    ["send_message", { target: "a" }, "missing field `message`"],
    ["send_message", { message: "a" }, "missing field `target`"],
    ["followup_task", { target: "a", message: [] }, "invalid type"],
    ["interrupt_agent", {}, "missing field `target`"],
    ["wait_agent", { timeout_ms: "5" }, "invalid type"],
    ["list_agents", { path_prefix: 1 }, "invalid type"],
  ])("%s with %j fails", async (name, input, problem) => {
    const { output, calls } = await call(name, input);

    expect(output.success).toBe(false);
    expect(output.text).toMatch(/^failed to parse function arguments: /);
    expect(output.text).toContain(problem);
    expect(calls).toEqual([]);
  });

  test.each(["0", "-1", "1.5", "some", "", "01", "1000000", "ALL", " 1"])(
    "fork_turns %j is refused before an agent is started",
    async (fork_turns) => {
      const { output, calls } = await call("spawn_agent", { ...task, fork_turns });

      expect(output).toEqual({ text: "fork_turns must be `none` or `all`", success: false });
      expect(calls).toEqual([]);
    },
  );

  test.each(["send_message", "followup_task", "interrupt_agent"])(
    "%s names the agent that there is not, by its whole path",
    async (name) => {
      const self = agent("/root/a");
      const texts = [];
      for (const target of ["b", "/root/b", "b/c"]) {
        const { output, calls } = await call(name, { target, message: "x" }, { self });
        expect(calls).toEqual([]);
        texts.push(output);
      }

      expect(texts).toEqual(
        ["/root/a/b", "/root/b", "/root/a/b/c"].map((path) => ({
          text: `live agent path \`${path}\` not found`,
          success: false,
        })),
      );
    },
  );
});

describe("starting an agent", () => {
  test.each([
    [undefined, "all"],
    ["all", "all"],
    ["none", "none"],
    ["1", 1],
    ["12", 12],
    ["999999", 999_999],
    [null, "all"],
  ])("fork_turns %j passes the history %j", async (fork_turns, history) => {
    const { calls, output } = await call(
      "spawn_agent",
      { ...task, fork_turns },
      { spawned: worker },
    );

    expect(calls).toEqual([["spawn", { name: "tests", message: "Run them", history }]]);
    expect(output).toEqual({ text: '{"task_name":"/root/tests"}', success: true });
  });

  test("model, effort and role are passed on", async () => {
    const input = { ...task, model: "m", reasoning_effort: "high", agent_type: "reviewer" };
    const { calls } = await call("spawn_agent", input, { spawned: worker });

    expect(calls).toEqual([
      [
        "spawn",
        {
          name: "tests",
          message: "Run them",
          history: "all",
          model: "m",
          effort: "high",
          role: "reviewer",
        },
      ],
    ]);
  });

  test("the reason that there is no agent is for the model", async () => {
    const spawned = "collab spawn failed: agent thread limit reached";
    const { output } = await call("spawn_agent", task, { spawned });

    expect(output).toEqual({ text: spawned, success: false });
  });
});

describe("messages", () => {
  test.each([
    ["send_message", false],
    ["followup_task", true],
  ])("%s starts a turn: %s", async (name, wakes) => {
    const { calls, output } = await call(
      name,
      { target: "tests", message: "hi" },
      { agents: [worker] },
    );

    expect(calls).toEqual([["send", "/root/tests", "hi", wakes]]);
    expect(output).toEqual({ text: "", success: true });
  });

  test.each(["send_message", "followup_task"])("a problem of %s fails the call", async (name) => {
    const settings = { agents: [worker], problem: "it cannot be loaded" };
    const { output } = await call(name, { target: "tests", message: "hi" }, settings);

    expect(output).toEqual({ text: "it cannot be loaded", success: false });
  });
});

describe("waiting", () => {
  test.each([
    [undefined, 30_000, ""],
    [10_000, 10_000, ""],
    [3_600_000, 3_600_000, ""],
    [9_999, 10_000, clamped(9_999)],
    [0, 10_000, clamped(0)],
    [-5, 10_000, clamped(-5)],
  ])("timeout_ms %s waits for %d ms", async (timeout_ms, ms, note) => {
    const { calls, output } = await call("wait_agent", { timeout_ms });

    expect(calls).toEqual([["wait", ms]]);
    expect(JSON.parse(output.text)).toEqual({
      message: `Wait completed.${note}`,
      timed_out: false,
    });
  });

  test("a time over the maximum is refused", async () => {
    const { calls, output, items } = await call("wait_agent", { timeout_ms: 3_600_001 });

    expect(output).toEqual({ text: "timeout_ms must be at most 3600000", success: false });
    expect([calls, items]).toEqual([[], []]);
  });

  test.each([
    ["message", "Wait completed.", false],
    ["input", "Wait interrupted by new input.", false],
    ["timeout", "Wait timed out.", true],
  ] as const)("the outcome %s is %j", async (waited, message, timed_out) => {
    const { output } = await call("wait_agent", {}, { waited });

    expect(JSON.parse(output.text)).toEqual({ message, timed_out });
  });

  test("clients see a wait as an item that starts and completes", async () => {
    const { items } = await call("wait_agent", {});

    expect(items.map(([type, item]) => [type, "status" in item && item.status])).toEqual([
      ["item_started", "inProgress"],
      ["item_completed", "completed"],
    ]);
    expect(items[0]?.[1]).toMatchObject({
      type: "CollabAgentToolCall",
      id: "call-1",
      tool: "wait",
      sender_thread_id: root.threadId,
      receiver_thread_ids: [],
    });
  });

  function clamped(ms: number): string {
    return `\n\nRequested timeout of ${ms}ms was clamped to the minimum of 10000ms.`;
  }
});

describe("interrupting and listing", () => {
  test.each([
    ["running", "running"],
    ["pending_init", "running"],
    ["interrupted", "interrupted"],
    ["shutdown", "shutdown"],
    [{ completed: "done" }, { completed: "done" }],
    [{ errored: "no" }, { errored: "no" }],
  ] as const)("the status %j before is shown as %j", async (status, shown) => {
    const settings = { agents: [agent("/root/tests", { status })] };
    const { calls, output } = await call("interrupt_agent", { target: "tests" }, settings);

    expect(calls).toEqual([["interrupt", "/root/tests"]]);
    expect(JSON.parse(output.text)).toEqual({ previous_status: shown });
  });

  test("the conversation of the user is not interrupted", async () => {
    const { calls, output } = await call(
      "interrupt_agent",
      { target: "/root" },
      { agents: [root] },
    );

    expect(output).toEqual({ text: "root is not a spawned agent", success: false });
    expect(calls).toEqual([]);
  });

  test.each([
    [undefined, ["/root", "/root/tests", "/root/docs"]],
    ["/root/t", ["/root/tests"]],
    ["/other", []],
  ])("the list below %s has %j", async (path_prefix, names) => {
    const agents = [
      root,
      agent("/root/tests", { status: "pending_init" }),
      agent("/root/docs", { status: { completed: "Written" } }),
    ];
    const { output } = await call("list_agents", { path_prefix }, { agents });
    const statuses: Record<string, unknown> = {
      "/root": "running",
      "/root/tests": "running",
      "/root/docs": { completed: "Written" },
    };

    expect(JSON.parse(output.text)).toEqual({
      agents: names.map((agent_name) => ({ agent_name, agent_status: statuses[agent_name] })),
    });
  });

  test("only the list is free of side effects", () => {
    const input = { text: JSON.stringify({ target: "a", message: "b", task_name: "c" }) };
    const readOnly = collaborationTools.filter((tool) => tool.isReadOnly?.(input));

    expect(readOnly.map(({ spec }) => "name" in spec && spec.name)).toEqual(["list_agents"]);
  });
});

test("without agents a call is a fault of the program, not of the model", async () => {
  const run = toolOf("list_agents").run({ text: "{}" }, {} as ToolContext);

  await expect(run).rejects.toThrow("Helper agents are not available here");
});
