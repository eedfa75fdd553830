import { describe, expect, test } from "vitest";
import {
  type Agent,
  type AgentMail,
  type AgentStatus,
  type AgentThread,
  AgentTree,
  type StartAgentThread,
} from "../../src/agents/index.js";
import { createDeferred } from "../../src/lib/async.js";
import type { Event, Op } from "../../src/protocol/types.js";
import { startedAgent } from "../support/agents.js";

/** A tree with threads that record submissions and closing. */
function createTree(limits = { atOnce: 9, depth: 9 }) {
  const tree = new AgentTree("root-thread", limits);
  const submitted: [path: string, op: Op][] = [];
  const closed: [path: string, isAsked: boolean | undefined][] = [];
  const ended: [path: string, turnId: string, status: AgentStatus][] = [];
  const listeners = new Map<string, (event: Event) => void>();
  const startThread: StartAgentThread = async (agent, onEvent): Promise<AgentThread> => {
    listeners.set(agent.path, onEvent);
    return {
      submit: (op) => submitted.push([agent.path, op]),
      close: async (options) => {
        closed.push([agent.path, options?.isAsked]);
      },
    };
  };
  const start = async (name: string, parent = tree.root, nicknames?: readonly string[]) => {
    const request = { parent, name, threadId: `thread-${name}`, nicknames };
    return startedAgent(await tree.start({ ...request, generation: 2 }, startThread));
  };
  const emit = (path: string, msg: Event["msg"], ids: Partial<Event> = {}) =>
    listeners.get(path)?.({ id: "1", ...ids, msg });
  const follow = (agent: Agent) => {
    const delivered: AgentMail[] = [];
    tree.follow(agent, {
      deliver: (mail) => delivered.push(mail),
      onChildEnd: (child, turnId) => ended.push([child.path, turnId, child.status]),
    });
    return delivered;
  };
  return { tree, start, startThread, submitted, closed, ended, emit, follow };
}

function mail(recipient: string, wakes: boolean): AgentMail {
  return {
    type: "inter_agent_communication",
    author: "/root",
    recipient,
    kind: wakes ? "NEW_TASK" : "MESSAGE",
    text: "hello",
    trigger_turn: wakes,
  } as AgentMail;
}

const started: Event["msg"] = { type: "task_started", model_context_window: null };
const complete = (answer: string | null): Event["msg"] => ({
  type: "task_complete",
  last_agent_message: answer,
});
const error = (message: string): Event["msg"] => ({ type: "error", message });
const aborted: Event["msg"] = { type: "turn_aborted", reason: "interrupted" };
const shutdown: Event["msg"] = { type: "shutdown_complete" };

describe("starting agents", () => {
  test("an agent knows its place in the tree", async () => {
    const { tree, start } = createTree();
    const parent = await start("a", tree.root, ["Ann"]);
    const child = await start("b", parent, ["Ann"]);

    expect(parent).toMatchObject({ path: "/root/a", depth: 1, nickname: "Ann" });
    expect(child).toMatchObject({ path: "/root/a/b", depth: 2, nickname: "Ann 2", parent });
    expect(child.status).toBe("pending_init");
    expect(tree.find("/root/a/b")).toBe(child);
    expect(tree.findByThread("thread-b")).toBe(child);
    expect(tree.findByThread("root-thread")).toBe(tree.root);
    expect(tree.findByThread("other")).toBeUndefined();
    expect(tree.find("/root/b")).toBeUndefined();
  });

  test("an agent is in the tree, and counts, before its thread has started", async () => {
    const { tree } = createTree({ atOnce: 1, depth: 1 });
    const { promise, resolve } = createDeferred<AgentThread>();
    const request = { parent: tree.root, name: "a", threadId: "t", generation: 1 as const };
    const starting = tree.start(request, () => promise);

    expect(tree.working).toBe(1);
    expect(tree.hasRoom).toBe(false);
    expect(tree.problemOf({ parent: tree.root, name: "b" })).toBe(
      "collab spawn failed: agent thread limit reached",
    );
    resolve({ submit() {}, async close() {} });
    expect(startedAgent(await starting).thread).toBeDefined();
  });

  test.each([
    ["A", "agent_name must use only lowercase letters, digits, and underscores"],
    ["a/b", "agent_name must not contain `/`"],
    ["root", "agent_name `root` is reserved"],
    ["a", "agent path `/root/a` already exists"],
    ["b", undefined],
  ])("the name %s for another agent: %s", async (name, problem) => {
    const { tree, start } = createTree();
    await start("a");

    expect(tree.problemOf({ parent: tree.root, name })).toBe(problem);
  });

  test("the name comes before the depth, and the depth before the number", async () => {
    const { tree, start } = createTree({ atOnce: 1, depth: 1 });
    const parent = await start("a");

    expect(tree.problemOf({ parent, name: "B" })).toContain("lowercase");
    expect(tree.problemOf({ parent, name: "b" })).toContain("depth limit");
    expect(tree.problemOf({ parent: tree.root, name: "b" })).toContain("thread limit");
  });

  test("with a limit of 0 no agent can be started", () => {
    const { tree } = createTree({ atOnce: 0, depth: 1 });

    expect(tree.problemOf({ parent: tree.root, name: "a" })).toContain("thread limit");
  });
});

describe("listing agents", () => {
  test.each([
    [undefined, ["/root", "/root/a", "/root/a/c", "/root/ab"]],
    ["/root", ["/root", "/root/a", "/root/a/c", "/root/ab"]],
    ["/", ["/root", "/root/a", "/root/a/c", "/root/ab"]],
    ["/root/a", ["/root/a", "/root/a/c"]],
    ["/root/ab", ["/root/ab"]],
    ["/root/x", []],
  ])("at or below %s are %j", async (prefix, expected) => {
    const { tree, start } = createTree();
    const parent = await start("a");
    await start("c", parent);
    await start("ab");

    expect(
      tree
        .list(prefix)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(expected);
  });
});

describe("events of a turn", () => {
  test.each<[string, Event["msg"][], AgentStatus]>([
    ["a start", [started], "running"],
    ["an answer", [started, complete("Done")], { completed: "Done" }],
    ["an empty answer", [started, complete("")], { completed: "" }],
    ["no answer", [started, complete(null)], { completed: null }],
    ["an error", [started, error("no model"), complete(null)], { errored: "no model" }],
    ["the last of two errors", [started, error("a"), error("b"), complete("c")], { errored: "b" }],
    ["an error that has not ended the turn", [started, error("a")], "running"],
    ["a refused start", [error("no budget")], { errored: "no budget" }],
    ["an interrupt", [started, aborted], "interrupted"],
    ["an interrupt after an error", [started, error("a"), aborted], "interrupted"],
    ["the end of the process in a turn", [started, shutdown], "interrupted"],
    ["the end of the process before a turn", [shutdown], "interrupted"],
    ["the end of the process after a turn", [started, complete("x"), shutdown], { completed: "x" }],
    ["an error after a turn", [started, complete("x"), error("late")], { completed: "x" }],
    [
      "a second turn",
      [started, error("a"), complete(null), started, complete("b")],
      { completed: "b" },
    ],
    ["other events", [started, { type: "agent_message", message: "hi" }], "running"],
  ])("%s decides the status", async (_, events, status) => {
    const { start, emit } = createTree();
    const agent = await start("a");
    for (const event of events) emit("/root/a", event);

    expect(agent.status).toEqual(status);
  });

  test("the parent, and only the parent, learns of the end and its turn", async () => {
    const { tree, start, emit, ended, follow } = createTree();
    const parent = await start("a");
    follow(tree.root);
    follow(parent);
    await start("b", parent);
    emit("/root/a/b", started, { id: "1", turn_id: "t7" });
    emit("/root/a/b", complete("x"), { id: "1", turn_id: "t7" });
    emit("/root/a", started, { id: "s2" });
    emit("/root/a", aborted, { id: "s2" });

    expect(ended).toEqual([
      ["/root/a/b", "t7", { completed: "x" }],
      ["/root/a", "s2", "interrupted"],
    ]);
  });

  test("an end without a follower changes only the status", async () => {
    const { start, emit, ended } = createTree();
    const agent = await start("a");
    emit("/root/a", complete("x"));

    expect(agent.status).toEqual({ completed: "x" });
    expect(ended).toEqual([]);
  });

  test("a thread that has shut down is no longer loaded", async () => {
    const { start, emit } = createTree();
    const agent = await start("a");
    emit("/root/a", complete("x"));
    expect(agent.thread).toBeDefined();
    emit("/root/a", shutdown);

    expect(agent.thread).toBeUndefined();
  });
});

describe("sending messages", () => {
  test.each([
    [true, "running"],
    [false, { completed: "x" }],
  ])("a message that starts a turn (%s) leaves the status %j", async (wakes, status) => {
    const { tree, start, submitted, emit } = createTree();
    const agent = await start("a");
    emit("/root/a", complete("x"));
    const message = mail("/root/a", wakes);
    tree.send(agent, message);

    expect(submitted).toEqual([["/root/a", message]]);
    expect(agent.status).toEqual(status);
  });

  test("a message for the root is delivered to what follows it", () => {
    const { tree, follow } = createTree();
    const delivered = follow(tree.root);
    const message = mail("/root", false);
    tree.send(tree.root, message);

    expect(delivered).toEqual([message]);
    expect(tree.root.status).toBe("running");
  });

  test("a parent with a thread gets messages in its thread", async () => {
    const { tree, start, follow, submitted } = createTree();
    const agent = await start("a");
    const delivered = follow(agent);
    tree.send(agent, mail("/root/a", true));

    expect(delivered).toEqual([]);
    expect(submitted).toHaveLength(1);
  });
});

describe("interrupting agents", () => {
  test.each<[Event["msg"][], AgentStatus, number]>([
    [[], "pending_init", 1],
    [[started], "running", 1],
    [[complete("x")], { completed: "x" }, 0],
    [[error("no")], { errored: "no" }, 0],
    [[aborted], "interrupted", 0],
  ])("after %j it returns %j and sends %d ops", async (events, status, count) => {
    const { tree, start, emit, submitted } = createTree();
    const agent = await start("a");
    for (const event of events) emit("/root/a", event);

    expect(tree.interrupt(agent)).toEqual(status);
    expect(submitted).toEqual(Array(count).fill(["/root/a", { type: "interrupt" }]));
  });

  test("those below an agent are interrupted, not the agent and not its neighbors", async () => {
    const { tree, start, submitted } = createTree();
    const parent = await start("a");
    const child = await start("b", parent);
    await start("c", child);
    await start("ab");
    tree.interruptBelow(parent);

    expect(submitted.map(([path]) => path)).toEqual(["/root/a/b", "/root/a/b/c"]);
  });
});

describe("closing and loading agents", () => {
  test.each([undefined, { isAsked: true }, { isAsked: false }])(
    "closing with %j closes those below too, and returns the status before",
    async (options) => {
      const { tree, start, closed, emit } = createTree();
      const parent = await start("a");
      await start("b", parent);
      const other = await start("c");
      emit("/root/a", complete("x"));
      const status = await tree.close(parent, options);

      expect(status).toEqual({ completed: "x" });
      expect(closed).toEqual([
        ["/root/a", options?.isAsked],
        ["/root/a/b", options?.isAsked],
      ]);
      expect(tree.list("/root/a").map(({ status, thread }) => [status, thread])).toEqual([
        ["shutdown", undefined],
        ["shutdown", undefined],
      ]);
      expect(other.status).toBe("pending_init");
    },
  );

  test("closing the root closes all others and leaves the root as it is", async () => {
    const { tree, start, closed } = createTree();
    await start("a");
    await start("b");

    expect(await tree.close(tree.root)).toBe("running");
    expect(closed.map(([path]) => path)).toEqual(["/root/a", "/root/b"]);
    expect(tree.root.status).toBe("running");
    expect(tree.working).toBe(0);
  });

  test("a closed agent keeps its path and makes room", async () => {
    const { tree, start } = createTree({ atOnce: 1, depth: 1 });
    const agent = await start("a");
    await tree.close(agent);

    expect(tree.hasRoom).toBe(true);
    expect(tree.problemOf({ parent: tree.root, name: "a" })).toContain("already exists");
    expect(tree.find("/root/a")).toBe(agent);
  });

  test("closing twice closes the thread once", async () => {
    const { tree, start, closed } = createTree();
    const agent = await start("a");
    await tree.close(agent);

    expect(await tree.close(agent)).toBe("shutdown");
    expect(closed).toHaveLength(1);
  });

  test("the error of a thread that cannot be closed reaches the caller", async () => {
    const { tree } = createTree();
    const request = { parent: tree.root, name: "a", threadId: "t", generation: 2 as const };
    const started = await tree.start(request, async () => ({
      submit() {},
      close: () => Promise.reject(new Error("disk full")),
    }));
    const agent = startedAgent(started);

    await expect(tree.close(agent)).rejects.toThrow("disk full");
    expect(agent.status).toBe("shutdown");
  });

  test("an agent that is loaded again takes messages and reports its turns", async () => {
    const { tree, start, startThread, submitted, emit } = createTree();
    const agent = await start("a");
    await tree.close(agent);
    await tree.load(agent, startThread);
    tree.send(agent, mail("/root/a", true));
    emit("/root/a", started);
    emit("/root/a", complete("again"));

    expect(submitted).toHaveLength(1);
    expect(agent.status).toEqual({ completed: "again" });
  });

  test("a refused start after a close in a turn is the end, not a part of the old turn", async () => {
    const { tree, start, startThread, emit, ended, follow } = createTree();
    const agent = await start("a");
    follow(tree.root);
    emit("/root/a", started);
    await tree.close(agent);
    emit("/root/a", shutdown);
    await tree.load(agent, startThread);
    tree.send(agent, mail("/root/a", true));
    emit("/root/a", error("no budget"), { id: "2" });

    expect(agent.status).toEqual({ errored: "no budget" });
    expect(ended).toEqual([["/root/a", "2", { errored: "no budget" }]]);
  });
});

describe("agents of a recorded conversation", () => {
  const recorded = (path: string, fields: Partial<Agent> = {}) => ({
    path,
    threadId: `thread ${path}`,
    nickname: undefined,
    generation: 2 as const,
    role: undefined,
    status: { completed: "x" },
    ...fields,
  });

  test("they are known, not loaded, and do not count", () => {
    const { tree } = createTree({ atOnce: 1, depth: 2 });
    tree.restore(recorded("/root/a"));
    tree.restore(recorded("/root/a/b"));

    expect(tree.working).toBe(0);
    expect(tree.find("/root/a")).toMatchObject({ depth: 1, parent: tree.root, thread: undefined });
    expect(tree.find("/root/a/b")).toMatchObject({ depth: 2, parent: tree.find("/root/a") });
    expect(tree.problemOf({ parent: tree.root, name: "a" })).toContain("already exists");
  });

  test("one whose parent is unknown belongs to the root", () => {
    const { tree } = createTree();
    tree.restore(recorded("/root/lost/b"));

    expect(tree.find("/root/lost/b")?.parent).toBe(tree.root);
  });

  test("their nicknames stay taken", async () => {
    const { tree, start } = createTree();
    tree.restore(recorded("/root/a", { nickname: "Ann" }));

    expect((await start("b", tree.root, ["Ann", "Bo"])).nickname).toBe("Bo");
  });

  test("one can be loaded and given a task", async () => {
    const { tree, startThread, submitted } = createTree();
    tree.restore(recorded("/root/a"));
    const agent = tree.find("/root/a") as Agent;
    await tree.load(agent, startThread);
    tree.send(agent, mail("/root/a", true));

    expect(submitted.map(([path]) => path)).toEqual(["/root/a"]);
    expect(agent.status).toBe("running");
  });

  test("closing and interrupting one that is not loaded sends nothing", async () => {
    const { tree, submitted, closed } = createTree();
    tree.restore(recorded("/root/a"));
    const agent = tree.find("/root/a") as Agent;

    expect(tree.interrupt(agent)).toEqual({ completed: "x" });
    expect(await tree.close(agent)).toEqual({ completed: "x" });
    expect([submitted, closed]).toEqual([[], []]);
  });
});
