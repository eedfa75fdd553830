import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Notification } from "../../src/jsonrpc/index.js";
import { createDeferred } from "../../src/lib/async.js";
import type { Step } from "../../src/model/scripted/index.js";
import { agentCall, spawn, wait } from "../support/agents.js";
import { calls, fails, hangs, says } from "../support/model.js";
import type { TestClient, TestServer, TestServerOptions } from "../support/server.js";
import { begin, initialize, say, startAppServer, startThread } from "./methods/thread.js";

type Answers = NonNullable<TestServerOptions["model"]>;

function startServer(
  model: Answers,
  options: Partial<TestServerOptions> = {},
): Promise<TestServer> {
  const config = { model: "gpt-6-sol", ...options.config };
  return startAppServer({ ...options, config, model });
}

/** Waits for the end of a turn of a thread; returns it. */
async function turnEnd(client: TestClient, threadId: string) {
  for (;;) {
    const { params } = (await client.until("turn/completed")) as { params: EndedTurn };
    if (params.threadId === threadId) return params.turn;
  }
}

interface ListedThread {
  id: string;
  parentThreadId: string | null;
}

interface EndedTurn {
  threadId: string;
  turn: { status: string; rootTurnId: string; id: string };
}

/** The activities of helper agents in a thread that a client was notified of. */
function activities(heard: readonly Notification[]): string[] {
  return heard.flatMap(({ method, params }) => {
    const { item } = (params ?? {}) as { item?: { type: string; kind: string; agentPath: string } };
    const isActivity = method === "item/completed" && item?.type === "subAgentActivity";
    return isActivity ? [`${item.agentPath} ${item.kind}`] : [];
  });
}

/** Outputs of tool calls in the last request of a conversation, by call. */
function outputs(
  { prompts }: TestServer,
  contains = "function_call_output",
): Record<string, string> {
  const last = prompts.findLast(({ input }) => JSON.stringify(input).includes(contains));
  const found = (last?.input ?? []).flatMap((item) =>
    item.type === "function_call_output" ? [[item.call_id, String(item.output)]] : [],
  );
  return Object.fromEntries(found);
}

test("the effort `ultra` lets the model start agents unasked, and asks for its highest effort", async () => {
  await using server = await startServer([says("1"), says("2"), says("3"), says("4")]);
  const client = server.connect();
  const threadId = await begin(client);

  for (const effort of ["ultra", "high", "max", "ultra"]) {
    await client.call("turn/start", { threadId, input: [{ type: "text", text: "hi" }], effort });
    await turnEnd(client, threadId);
  }

  const texts = server.prompts.map(({ input }) =>
    input.flatMap((item) =>
      item.type === "message" && JSON.stringify(item.content).includes("<multi_agent_mode>")
        ? [JSON.stringify(item.content).includes("without being asked") ? "unasked" : "asked"]
        : [],
    ),
  );
  expect(server.prompts.map(({ reasoning }) => reasoning?.effort)).toEqual([
    "max",
    "high",
    "max",
    "max",
  ]);
  expect(texts).toEqual([
    ["asked", "unasked"],
    ["asked", "unasked", "asked"],
    ["asked", "unasked", "asked"],
    ["asked", "unasked", "asked", "unasked"],
  ]);
});

describe("a helper agent", () => {
  test("answers its parent, and the clients of the parent follow it", async () => {
    await using server = await startServer({
      answers: [[spawn("look_up")], wait, says("done")],
      agents: { "/root/look_up": [says("The answer is 42")] },
    });
    const client = server.connect();
    const threadId = await begin(client);
    const turnId = await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);

    const last = server.prompts.at(-1)?.input.at(-1);
    const ofAgent = client.heard.filter(
      ({ params }) => ![undefined, threadId].includes((params as { threadId?: string })?.threadId),
    );
    expect(last).toMatchObject({
      type: "agent_message",
      author: "/root/look_up",
      content: [{ text: expect.stringContaining("FINAL_ANSWER") }],
    });
    expect(activities(client.heard)).toEqual(["/root/look_up started", "/root/look_up completed"]);
    expect(ofAgent.map(({ method }) => method)).toEqual(
      expect.arrayContaining(["turn/started", "item/agentMessage/delta", "turn/completed"]),
    );
    const ended = ofAgent.find(({ method }) => method === "turn/completed")?.params as EndedTurn;
    expect(ended.turn.rootTurnId).toBe(turnId);
  });

  test("has a thread that lists hide and that takes no input of clients", async () => {
    await using server = await startServer({
      answers: [[spawn("look_up")], wait, says("done")],
      agents: { "*": [says("yes")] },
    });
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);
    const listed = (await client.call("thread/list", {})) as { data: { id: string }[] };
    const loaded = (await client.call("thread/loaded/list", {})) as { data: string[] };
    const agentId = loaded.data.find((id) => id !== threadId) ?? "";
    const { thread } = (await client.call("thread/read", { threadId: agentId })) as {
      thread: object;
    };

    expect(listed.data.map(({ id }) => id)).toEqual([threadId]);
    expect(thread).toMatchObject({ parentThreadId: threadId, sessionId: threadId });
    expect(thread).toMatchObject({ canAcceptDirectInput: false, threadSource: "subagent" });
    const input = [{ type: "text", text: "hello" }];
    await expect(client.call("turn/start", { threadId: agentId, input })).rejects.toThrow(
      "direct app-server input is not allowed",
    );
  });

  test("is listed below its parent and those above it", async () => {
    await using server = await startServer({
      answers: [[spawn("one")], wait, says("done"), says("unrelated")],
      agents: { "/root/one": [[spawn("two")], wait, says("1")], "/root/one/two": [says("2")] },
    });
    const client = server.connect();
    await initialize(client, { experimentalApi: true });
    const threadId = await startThread(client);
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);
    const other = await startThread(client);
    await say(client, other, "alone");
    await turnEnd(client, other);
    const list = async (params: object) =>
      ((await client.call("thread/list", params)) as { data: ListedThread[] }).data;
    const refusal = (params: object) => list(params).catch((error: Error) => error.message);

    const [one] = await list({ parentThreadId: threadId });
    const [two] = await list({ parentThreadId: one?.id });
    const below = await list({ ancestorThreadId: threadId });

    expect([one?.parentThreadId, two?.parentThreadId]).toEqual([threadId, one?.id]);
    expect(below.map(({ id }) => id).toSorted()).toEqual([one?.id, two?.id].toSorted());
    expect(await list({ ancestorThreadId: other })).toEqual([]);
    expect(await list({ attachedToThreadId: threadId })).toEqual([]);
    expect(await list({ parentThreadId: threadId, sourceKinds: ["vscode"] })).toEqual([]);
    expect((await list({})).map(({ id }) => id).toSorted()).toEqual([threadId, other].toSorted());
    expect(await refusal({ parentThreadId: threadId, ancestorThreadId: threadId })).toBe(
      "parentThreadId and ancestorThreadId are mutually exclusive",
    );
    expect(await refusal({ ancestorThreadId: "zz" })).toMatch(/^invalid ancestor thread id: /);
    expect(await refusal({ attachedToThreadId: other, parentThreadId: other })).toBe(
      "attachedToThreadId cannot be combined with parentThreadId or ancestorThreadId",
    );
  });

  test("asks the clients of its root for approvals", async () => {
    await using server = await startServer(
      {
        answers: [[spawn("writer")], wait, says("done")],
        agents: {
          "*": [calls("exec_command", { cmd: "touch made", login: false }), says("made it")],
        },
      },
      { config: { approval_policy: "untrusted", sandbox_mode: "workspace-write" } },
    );
    const asked: unknown[] = [];
    const client = server.connect(({ method, params }) => {
      const { threadId, agentPath } = params as { threadId: string; agentPath: string };
      asked.push([method, threadId, agentPath]);
      return { decision: "accept" };
    });
    const threadId = await begin(client, { approvalPolicy: "untrusted" });
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);
    const { data } = (await client.call("thread/loaded/list", {})) as { data: string[] };

    expect(asked).toEqual([["item/commandExecution/requestApproval", data[1], "/root/writer"]]);
    expect(existsSync(join(server.workspace, "made"))).toBe(true);
  });

  test("is followed by clients that come later, who can answer its questions", async () => {
    await using server = await startServer(
      {
        answers: [[spawn("writer")], wait, says("done")],
        agents: {
          "*": [calls("exec_command", { cmd: "touch made", login: false }), says("made it")],
        },
      },
      { config: { approval_policy: "untrusted", sandbox_mode: "workspace-write" } },
    );
    const asked = createDeferred<void>();
    const first = server.connect(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const threadId = await begin(first, { approvalPolicy: "untrusted" });
    await say(first, threadId, "use a helper");
    await asked.promise;
    const second = server.connect(() => ({ decision: "accept" }));
    await initialize(second);
    await second.call("thread/resume", { threadId });
    await turnEnd(second, threadId);

    const ofAgent = second.heard.filter(
      ({ params }) => ![undefined, threadId].includes((params as { threadId?: string })?.threadId),
    );
    expect(ofAgent.map(({ method }) => method)).toEqual(
      expect.arrayContaining(["thread/status/changed", "item/completed", "turn/completed"]),
    );
    expect(existsSync(join(server.workspace, "made"))).toBe(true);
  });

  test("ends with the turn that the user interrupts, with all below it", async () => {
    await using server = await startServer({
      answers: [[spawn("worker")], wait],
      agents: {
        "/root/worker": [[spawn("deeper")], wait],
        "/root/worker/deeper": [hangs()],
      },
    });
    const client = server.connect();
    const threadId = await begin(client);
    const turnId = await say(client, threadId, "use helpers");
    const isWorking = () =>
      server.prompts.some(({ input }) => JSON.stringify(input).includes("do deeper"));
    await vi.waitUntil(isWorking, { timeout: 20_000 });
    await client.call("turn/interrupt", { threadId, turnId });
    const ends = [
      await client.until("turn/completed"),
      await client.until("turn/completed"),
      await client.until("turn/completed"),
    ].map(({ params }) => (params as EndedTurn).turn.status);

    expect(ends).toEqual(["interrupted", "interrupted", "interrupted"]);
  });

  test("does not keep the server from closing while its command runs", async () => {
    const server = await startServer({
      answers: [[spawn("worker")], wait],
      agents: { "*": [calls("exec_command", { cmd: "touch started; sleep 60", login: false })] },
    });
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use a helper");
    const isCommand = ({ method, params }: Notification) =>
      method === "item/started" && JSON.stringify(params).includes("commandExecution");
    while (!client.heard.some(isCommand)) await client.until("item/started");

    await expect(server[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  test("that fails reports its error as the answer", async () => {
    await using server = await startServer({
      answers: [[spawn("broken")], wait, says("done")],
      agents: { "*": [fails(400, { error: { message: "no such thing" } })] },
    });
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);

    expect(JSON.stringify(server.prompts.at(-1)?.input.at(-1))).toContain(
      "Agent errored: no such thing",
    );
    expect(activities(client.heard)).toEqual(["/root/broken started"]);
  });

  test("keeps what it knows for another task,", async () => {
    const again = [agentCall("followup_task", { target: "worker", message: "and more" })];
    await using server = await startServer({
      answers: [[spawn("worker")], wait, again, wait, says("done")],
      agents: { "*": [says("FIRST"), says("SECOND")] },
    });
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);

    const ofWorker = server.prompts.filter(({ input }) =>
      JSON.stringify(input.at(-1)).includes("NEW_TASK"),
    );
    expect(ofWorker.map(({ input }) => JSON.stringify(input).includes("FIRST"))).toEqual([
      false,
      true,
    ]);
    expect(JSON.stringify(server.prompts.at(-1)?.input.at(-1))).toContain("SECOND");
  });
});

describe("the tools of helper agents", () => {
  test("refuse what there is not, and name it", async () => {
    const mistakes = [
      spawn("Bad-Name"),
      spawn("root"),
      { ...spawn("empty"), args: { task_name: "empty", message: " " } },
      { ...spawn("odd"), args: { task_name: "odd", message: "x", fork_turns: "some" } },
      spawn("unknown", { model: "no-such-model" }),
      agentCall("send_message", { target: "nobody", message: "x" }),
      agentCall("followup_task", { target: "/root", message: "x" }),
      agentCall("interrupt_agent", { target: "/root" }),
      agentCall("wait_agent", { timeout_ms: 99_999_999 }),
    ];
    await using server = await startServer({ answers: [mistakes, says("done")] });
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "try");
    await turnEnd(client, threadId);

    expect(outputs(server)).toEqual({
      "Bad-Name": "agent_name must use only lowercase letters, digits, and underscores",
      root: "agent_name `root` is reserved",
      empty: "Empty message can't be sent to an agent",
      odd: "fork_turns must be `none` or `all`",
      unknown: expect.stringContaining("Unknown model `no-such-model` for spawn_agent"),
      send_message: "live agent path `/root/nobody` not found",
      followup_task: "Follow-up tasks can't target the root agent",
      interrupt_agent: "root is not a spawned agent",
      wait_agent: "timeout_ms must be at most 3600000",
    });
    expect(activities(client.heard)).toEqual([]);
  });

  test("start no more agents at once than the settings allow", async () => {
    await using server = await startServer(
      {
        answers: [["a", "b", "c"].map((name) => spawn(name)), says("done")],
        agents: { "*": [hangs()] },
      },
      { config: { "agents.max_concurrent_threads_per_session": 2 } },
    );
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use helpers");
    await turnEnd(client, threadId);

    expect(outputs(server, "limit reached")).toEqual({
      a: '{"task_name":"/root/a"}',
      b: '{"task_name":"/root/b"}',
      c: "collab spawn failed: agent thread limit reached",
    });
  });

  test("are not offered to older models, nor if the user disables them", async () => {
    await using server = await startServer([says("hi"), says("hi")]);
    const client = server.connect();
    await initialize(client);
    for (const params of [{ model: "gpt-5.2" }, { config: { "features.multi_agent": false } }]) {
      const { thread } = (await client.call("thread/start", params)) as { thread: { id: string } };
      await say(client, thread.id, "hi");
      await turnEnd(client, thread.id);
    }

    const offered = server.prompts.map(({ tools }) =>
      JSON.stringify(tools).includes("spawn_agent"),
    );
    expect(offered).toEqual([false, false]);
  });
});

describe("agents of the first generation", () => {
  const ofV1 = (name: string, args: object, call_id = name): Step => ({
    call: name,
    args,
    call_id,
    namespace: "multi_agent_v1",
  });

  test("are known by their ids, and their end is a message of the user", async () => {
    await using server = await startServer(
      {
        answers: [
          [ofV1("spawn_agent", { message: "find it" })],
          says("CHILD ANSWER 42"),
          says("nothing to do"),
          says("done"),
        ],
      },
      { config: { model: "gpt-5.5" } },
    );
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "use a helper");
    await turnEnd(client, threadId);

    const { agent_id } = JSON.parse(outputs(server).spawn_agent ?? "{}") as { agent_id: string };
    expect(agent_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      client.heard.flatMap(({ method, params }) => {
        const { item } = (params ?? {}) as { item?: { type: string } };
        return method === "item/completed" && item?.type === "collabAgentToolCall" ? [item] : [];
      }),
    ).toMatchObject([
      { tool: "spawnAgent", status: "completed", receiverThreadIds: [agent_id], prompt: "find it" },
    ]);
  });

  test("get errors that name the wrong id", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    await using server = await startServer(
      {
        answers: [
          [
            ofV1("wait_agent", { targets: ["nope"] }, "bad"),
            ofV1("wait_agent", { targets: [] }, "none"),
            ofV1("close_agent", { target: id }),
            ofV1("send_input", { target: id, message: "x" }),
            ofV1("resume_agent", { id }),
            ofV1("spawn_agent", {}, "empty"),
            ofV1("spawn_agent", { message: "a", items: [{ text: "b" }] }, "both"),
            ofV1("spawn_agent", { message: "a", agent_type: "nope" }, "role"),
          ],
          says("done"),
        ],
      },
      { config: { model: "gpt-5.5" } },
    );
    const client = server.connect();
    const threadId = await begin(client);
    await say(client, threadId, "try");
    await turnEnd(client, threadId);

    expect(outputs(server)).toEqual({
      bad: "invalid agent id nope: Error(ParseChar { character: 'n', index: 1 })",
      none: "agent ids must be non-empty",
      close_agent: `agent with id ${id} not found`,
      send_input: `agent with id ${id} not found`,
      resume_agent: `agent with id ${id} not found`,
      empty: "Provide one of: message or items",
      both: "Provide either message or items, but not both",
      role: "unknown agent_type 'nope'",
    });
  });
});
