import { describe, expect, test } from "vitest";
import { type AgentThread, AgentTree, isAgentPath, toAgentPath } from "../../src/agents/index.js";
import type { Event, Op } from "../../src/protocol/types.js";
import { startedAgent } from "../support/agents.js";

/** A tree whose threads record what is submitted; `end` ends the turn of one. */
function createTree(limits = { atOnce: 2, depth: 2 }) {
  const tree = new AgentTree("root-thread", limits);
  const submitted: [string, Op["type"]][] = [];
  const listeners = new Map<string, (event: Event) => void>();
  const start = async (name: string, parent = tree.root) => {
    const started = await tree.start(
      { parent, name, threadId: `thread-${name}`, generation: 2 },
      async (agent, onEvent): Promise<AgentThread> => {
        listeners.set(agent.path, onEvent);
        return {
          submit: (op) => submitted.push([agent.path, op.type]),
          close: async () => {},
        };
      },
    );
    return startedAgent(started);
  };
  const emit = (path: string, msg: Event["msg"]) => listeners.get(path)?.({ id: "1", msg });
  return { tree, start, submitted, emit };
}

describe("a tree of agents", () => {
  test("counts those that work, and has room again when one has ended", async () => {
    const { tree, start, emit } = createTree();
    await start("a");
    await start("b");
    const before = tree.problemOf({ parent: tree.root, name: "c" });
    emit("/root/a", { type: "task_complete", last_agent_message: "done" });

    expect(before).toContain("limit reached");
    expect(tree.problemOf({ parent: tree.root, name: "c" })).toBeUndefined();
    expect(tree.find("/root/a")?.status).toEqual({ completed: "done" });
  });

  test("refuses names that exist and agents that are too deep", async () => {
    const { tree, start } = createTree({ atOnce: 9, depth: 1 });
    const parent = await start("a");

    expect(tree.problemOf({ parent: tree.root, name: "a" })).toContain("already exists");
    expect(tree.problemOf({ parent, name: "b" })).toContain("depth limit");
  });

  test("reports the error of a turn as its end", async () => {
    const { tree, start, emit } = createTree();
    const ended: string[] = [];
    tree.follow(tree.root, { deliver() {}, onChildEnd: ({ path }) => ended.push(path) });
    await start("a");
    emit("/root/a", { type: "task_started", model_context_window: null });
    emit("/root/a", { type: "error", message: "no model" });
    emit("/root/a", { type: "task_complete", last_agent_message: null });

    expect(tree.find("/root/a")?.status).toEqual({ errored: "no model" });
    expect(ended).toEqual(["/root/a"]);
  });

  test("interrupts those below an agent, and only those that work", async () => {
    const { tree, start, submitted, emit } = createTree({ atOnce: 9, depth: 3 });
    const parent = await start("a");
    await start("b", parent);
    await start("c");
    emit("/root/a/b", { type: "task_complete", last_agent_message: null });
    tree.interruptBelow(tree.root);

    expect(submitted).toEqual([
      ["/root/a", "interrupt"],
      ["/root/c", "interrupt"],
    ]);
  });

  test("forgets an agent whose thread did not start", async () => {
    const tree = new AgentTree("root-thread", { atOnce: 1, depth: 1 });
    const request = { parent: tree.root, name: "a", threadId: "t", generation: 2 as const };
    await expect(tree.start(request, () => Promise.reject(new Error("no")))).rejects.toThrow("no");

    expect(tree.problemOf(request)).toBeUndefined();
  });

  test("gives its last place, and a name, to one of those that start at the same time", async () => {
    const tree = new AgentTree("root-thread", { atOnce: 2, depth: 1 });
    const start = (fields: object) =>
      tree.start({ parent: tree.root, threadId: "t", generation: 1, ...fields }, async () => ({
        submit() {},
        async close() {},
      }));
    const started = await Promise.all([
      start({ name: "a" }),
      start({ name: "a" }),
      start({}),
      start({}),
    ]);

    expect(started.map((one) => (typeof one === "string" ? one : one.path))).toEqual([
      "/root/a",
      "agent path `/root/a` already exists",
      "/root/agent_2",
      "collab spawn failed: agent thread limit reached",
    ]);
  });

  test("gives no name twice, also after an agent is closed", async () => {
    const tree = new AgentTree("root-thread", { atOnce: 9, depth: 1 });
    const start = async () =>
      startedAgent(
        await tree.start({ parent: tree.root, threadId: "t", generation: 1 }, async () => ({
          submit() {},
          async close() {},
        })),
      );
    const first = await start();
    await start();
    await tree.close(first);

    expect((await start()).path).toBe("/root/agent_3");
  });
});

test.each([
  ["tests", "/root", "/root/tests"],
  ["deep/er", "/root/a", "/root/a/deep/er"],
  ["/root/b", "/root/a", "/root/b"],
])("the target %s of %s is %s", (target, from, path) => {
  expect(toAgentPath(target, from)).toBe(path);
  expect(isAgentPath(path)).toBe(true);
});
