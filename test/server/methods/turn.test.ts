import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { begin, initialize, say, startAppServer, startThread, told } from "./thread.js";

const oneCommand = [
  [{ call: "shell", args: { command: ["echo", "hi"] }, call_id: "c1" }],
  [{ message: "Done." }],
];

const inNewWords = [
  "thread/status/changed active",
  "turn/started",
  "item/started userMessage",
  "item/completed userMessage",
  "item/started commandExecution",
  "item/commandExecution/outputDelta",
  "item/completed commandExecution",
  "item/started agentMessage",
  "item/agentMessage/delta",
  "item/completed agentMessage",
  "thread/status/changed idle",
  "turn/completed",
];

test("the reply is followed by the items of the turn and its end", async () => {
  await using server = await startAppServer({ model: oneCommand });
  const client = server.connect();
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  expect(client.heard).toEqual([]);
  const { params } = await client.until("turn/completed");

  expect(told(client)).toEqual(inNewWords);
  const time = expect.any(Number);
  const message = {
    type: "agentMessage",
    id: "msg_1_0",
    text: "Done.",
    phase: null,
    memoryCitation: null,
    delivery: null,
    questions: null,
    startedAtMs: time,
    completedAtMs: time,
  };
  expect(params).toEqual({
    threadId,
    turn: {
      id: turnId,
      rootTurnId: turnId,
      items: [message],
      itemsView: "summary",
      status: "completed",
      error: null,
      startedAt: time,
      completedAt: time,
      durationMs: time,
      responseId: "resp_1",
    },
  });
});

test("a command is one item from start to completion", async () => {
  await using server = await startAppServer({ model: oneCommand });
  const client = server.connect();
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  await client.until("turn/completed");

  const items = client.heard.filter(({ params }) => {
    const { item, itemId } = params as { item?: { id: string }; itemId?: string };
    return (item?.id ?? itemId) === "c1";
  });
  const command = {
    type: "commandExecution",
    id: "c1",
    pluginId: null,
    scriptPath: null,
    command: "echo hi",
    cwd: server.workspace,
    processId: null,
    source: "agent",
    commandActions: [{ type: "unknown", command: "echo hi" }],
  };
  const time = expect.any(Number);
  expect(items).toEqual([
    {
      method: "item/started",
      params: {
        threadId,
        turnId,
        startedAtMs: time,
        item: {
          ...command,
          status: "inProgress",
          aggregatedOutput: null,
          exitCode: null,
          durationMs: null,
          startedAtMs: time,
          completedAtMs: null,
        },
      },
    },
    {
      method: "item/commandExecution/outputDelta",
      params: { threadId, turnId, itemId: "c1", delta: "hi\n" },
    },
    {
      method: "item/completed",
      params: {
        threadId,
        turnId,
        completedAtMs: time,
        item: {
          ...command,
          status: "completed",
          aggregatedOutput: "hi\n",
          exitCode: 0,
          durationMs: time,
          startedAtMs: time,
          completedAtMs: time,
        },
      },
    },
  ]);
});

test("a client with `legacyEvents` receives each event before its notification", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  await initialize(client, { legacyEvents: true });
  const threadId = await startThread(client);

  await say(client, threadId, "hi");
  await client.until("turn/completed");

  expect(told(client)).toEqual([
    "codex/event/task_started",
    "thread/status/changed active",
    "turn/started",
    "item/started userMessage",
    "item/completed userMessage",
    "codex/event/user_message",
    "item/started agentMessage",
    "codex/event/agent_message_content_delta",
    "item/agentMessage/delta",
    "codex/event/agent_message_delta",
    "item/completed agentMessage",
    "codex/event/agent_message",
    "codex/event/task_complete",
    "thread/status/changed idle",
    "turn/completed",
  ]);
});

test("a client receives no notifications that it opted out of", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  await initialize(client, {
    optOutNotificationMethods: ["item/agentMessage/delta", "thread/status/changed", "item/started"],
  });
  const threadId = await startThread(client);

  await say(client, threadId, "hi");
  await client.until("turn/completed");

  expect(told(client)).toEqual([
    "turn/started",
    "item/completed userMessage",
    "item/completed agentMessage",
    "turn/completed",
  ]);
});

test("a failed turn has an error, and the status stays `systemError` until the next one", async () => {
  await using server = await startAppServer({
    model: [{ status: 400, body: "no" }, [{ message: "Better." }]],
  });
  const client = server.connect();
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  const failed = await client.until("turn/completed");

  const error = {
    message: expect.stringContaining("no"),
    codexErrorInfo: expect.anything(),
    additionalDetails: null,
    misalignment: null,
  };
  expect(failed.params).toMatchObject({ turn: { id: turnId, status: "failed", error } });
  expect(told(client).slice(-3)).toEqual([
    "thread/status/changed systemError",
    "error",
    "turn/completed",
  ]);

  await say(client, threadId, "again");
  const done = await client.until("turn/completed");
  expect(done.params).toMatchObject({ turn: { status: "completed", error: null } });
});

test("nulls and unknown fields are ignored", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const threadId = await begin(client);

  await client.call("turn/start", {
    threadId,
    input: [{ type: "text", text: "hi", text_elements: [], extra: 1 }],
    cwd: null,
    approvalPolicy: null,
    sandboxPolicy: null,
    model: null,
    effort: null,
    outputSchema: null,
    collaborationMode: null,
    newest: { field: true },
  });

  expect((await client.until("turn/completed")).params).toMatchObject({
    turn: { status: "completed" },
  });
});

test.each([
  [
    { threadId: "nope" },
    "invalid thread id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1",
  ],
  [
    { threadId: "01a1e12e-0dd5-7004-8128" },
    "invalid thread id: invalid group count: expected 5, found 4",
  ],
  [
    { threadId: "01a1e12e-0dd5-7004-8128-000000000000" },
    "thread not found: 01a1e12e-0dd5-7004-8128-000000000000",
  ],
])("a turn for %j is rejected", async (params, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  const asked = client.call("turn/start", { ...params, input: [] });

  await expect(asked).rejects.toMatchObject({ code: -32600, message });
});

test("input above the limit is rejected", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);
  const input = [{ type: "text", text: "x".repeat((1 << 20) + 1) }];

  await expect(client.call("turn/start", { threadId, input })).rejects.toMatchObject({
    code: -32602,
    message: "Input exceeds the maximum length of 1048576 characters.",
    data: { input_error_code: "input_too_large", max_chars: 1048576, actual_chars: 1048577 },
  });
});

const slow = [
  [{ call: "shell", args: { command: ["sleep", "60"] }, call_id: "c1" }],
  [{ message: "Both seen." }],
];

test("the reply to an interrupt precedes the end of the turn", async () => {
  await using server = await startAppServer({ model: slow });
  const client = server.connect();
  const threadId = await begin(client);
  const turnId = await say(client, threadId, "go");
  await client.until("item/started");
  await client.until("item/started");

  await client.call("turn/interrupt", { threadId, turnId });
  expect(told(client)).not.toContain("turn/completed");
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { id: turnId, status: "interrupted", items: [] } });
});

test("interrupting an idle thread succeeds; a wrong turn id is rejected", async () => {
  await using server = await startAppServer({ model: slow });
  const client = server.connect();
  const threadId = await begin(client);

  expect(await client.call("turn/interrupt", { threadId, turnId: "x" })).toEqual({});
  const turnId = await say(client, threadId, "go");
  await client.until("turn/started");
  await expect(client.call("turn/interrupt", { threadId, turnId: "x" })).rejects.toMatchObject({
    code: -32600,
    message: `expected active turn id x but found ${turnId}`,
  });
});

test("steered input joins the expected turn with its client id", async () => {
  const model = [
    [{ call: "shell", args: { command: ["sleep", "0.3"] }, call_id: "c1" }],
    [{ message: "Both seen." }],
  ];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  const input = [{ type: "text", text: "also this" }];
  const steer = (expectedTurnId: string, clientUserMessageId?: string) =>
    client.call("turn/steer", { threadId, input, expectedTurnId, clientUserMessageId });

  await expect(steer("nope")).rejects.toMatchObject({ message: "no active turn to steer" });
  const turnId = await say(client, threadId, "first");
  await client.until("turn/started");
  await expect(steer("nope")).rejects.toMatchObject({
    message: `expected active turn id \`nope\` but found \`${turnId}\``,
  });
  expect(await steer(turnId, "mine")).toEqual({ turnId });
  await client.until("turn/completed");

  const messages = client.heard.flatMap(({ method, params }) => {
    const { item } = (params ?? {}) as { item?: { type: string; clientId: string | null } };
    return method === "item/completed" && item?.type === "userMessage" ? [item.clientId] : [];
  });
  expect(messages).toEqual([null, "mine"]);
});

test("stored messages have the ids that clients gave them", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "Two." }]],
  });
  const client = server.connect();
  const threadId = await begin(client);
  for (const clientUserMessageId of ["mine", undefined]) {
    const input = [{ type: "text", text: "hi" }];
    await client.call("turn/start", { threadId, input, clientUserMessageId });
    await client.until("turn/completed");
  }

  const read = await client.call("thread/read", { threadId, includeTurns: true });

  const { turns } = (read as { thread: { turns: { items: object[] }[] } }).thread;
  expect(turns.map(({ items }) => items[0])).toMatchObject([
    { type: "userMessage", clientId: "mine" },
    { type: "userMessage", clientId: null },
  ]);
});

test("a turn that is started during another joins it", async () => {
  const model = [
    [{ call: "shell", args: { command: ["sleep", "0.3"] }, call_id: "c1" }],
    [{ message: "Both seen." }],
  ];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);

  const first = await say(client, threadId, "first");
  await client.until("turn/started");
  const second = await say(client, threadId, "second");
  await client.until("turn/completed");

  expect(second).toBe(first);
  expect(told(client).filter((name) => name.startsWith("turn/"))).toEqual([
    "turn/started",
    "turn/completed",
  ]);
  expect(told(client).filter((name) => name === "item/completed userMessage")).toHaveLength(2);
});

test("a turn without input ends at once", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);

  const { turn } = (await client.call("turn/start", { threadId, input: [] })) as {
    turn: { id: string };
  };
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { id: turn.id, status: "completed" } });
});

test("an image that the model views is an item", async () => {
  const model = [
    [{ call: "view_image", args: { path: "p.png" }, call_id: "v1" }],
    [{ message: "Seen." }],
  ];
  await using server = await startAppServer({ model });
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
  await writeFile(join(server.workspace, "p.png"), Buffer.from(pixel, "base64"));
  const client = server.connect();
  const threadId = await begin(client);

  await say(client, threadId, "look");
  await client.until("turn/completed");

  const items = client.heard.flatMap(({ params }) => {
    const { item } = (params ?? {}) as { item?: { type: string; id: string; path?: string } };
    return item?.type === "imageView" ? [[item.id, item.path]] : [];
  });
  const path = join(server.workspace, "p.png");
  expect(items).toEqual([
    ["v1", path],
    ["v1", path],
  ]);
});

test("[documents D7] `sandbox` of turn/start is an alias of `sandboxPolicy`", async () => {
  const write = { command: ["bash", "-c", "echo x > written"] };
  const model = [[{ call: "shell", args: write, call_id: "c1" }], [{ message: "Done." }]];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);

  await client.call("turn/start", {
    threadId,
    input: [{ type: "text", text: "write" }],
    sandbox: { type: "readOnly" },
  });
  await client.until("turn/completed");

  expect(await readdir(server.workspace)).not.toContain("written");
});

test("[documents D7] `sandbox` and `sandboxPolicy` may both be sent if they are equal", async () => {
  await using server = await startAppServer({ model: [[{ message: "Done." }]] });
  const client = server.connect();
  const threadId = await begin(client);
  const input = [{ type: "text", text: "go" }];
  const sandbox = { type: "readOnly" };

  const other = { type: "dangerFullAccess" };
  await expect(
    client.call("turn/start", { threadId, input, sandbox, sandboxPolicy: other }),
  ).rejects.toThrow(
    '`sandbox` is an alias of `sandboxPolicy`, but the two differ: {"type":"readOnly"} and {"type":"dangerFullAccess"}. Send only one of them.',
  );
  await client.call("turn/start", { threadId, input, sandbox, sandboxPolicy: sandbox });
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { status: "completed" } });
});

test("[documents D1] turn/start continues from the response of an earlier turn", async () => {
  const model = [[{ message: "One." }], [{ message: "Two." }], [{ message: "Other two." }]];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "first");
  const first = await client.until("turn/completed");
  const { responseId } = (first.params as { turn: { responseId: string } }).turn;
  await say(client, threadId, "second");
  await client.until("turn/completed");
  client.heard.length = 0;

  const reply = (await client.call("turn/start", {
    threadId,
    input: [{ type: "text", text: "instead" }],
    lastResponseId: responseId,
  })) as { turn: { id: string } };
  expect(client.heard).toEqual([]);
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { id: reply.turn.id, status: "completed" } });
  const sent = JSON.stringify(server.prompts[2]?.input);
  expect(sent).toContain("One.");
  expect(sent).not.toContain("second");
  expect(told(client).filter((name) => name === "turn/started")).toHaveLength(1);
});

test("[documents D2] turn/start rejects an unknown response and finds that of another thread", async () => {
  const model = [[{ message: "One." }], [{ message: "Two." }]];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "first");
  const first = await client.until("turn/completed");
  const { responseId } = (first.params as { turn: { responseId: string } }).turn;
  const other = await startThread(client);
  const input = [{ type: "text", text: "second" }];

  await expect(
    client.call("turn/start", { threadId: other, input, lastResponseId: "no_such" }),
  ).rejects.toThrow("No response no_such to continue from");
  expect(told(client)).toEqual([]);
  await client.call("turn/start", { threadId: other, input, lastResponseId: responseId });
  await client.until("turn/completed");

  const sent = JSON.stringify(server.prompts[1]?.input);
  expect(sent).toContain("One.");
});

test("[documents D3] text elements of a message are read again", async () => {
  await using server = await startAppServer({ model: [[{ message: "Seen." }]] });
  const client = server.connect();
  const threadId = await begin(client);
  const input = [
    {
      type: "text",
      text: "see @notes",
      text_elements: [{ byteRange: { start: 4, end: 10 }, placeholder: "notes" }],
    },
    { type: "mention", name: "notes", path: "docs/notes.md" },
  ];

  await client.call("turn/start", { threadId, input });
  await client.until("turn/completed");
  const read = await client.call("thread/read", { threadId, includeTurns: true });

  expect(read).toMatchObject({ thread: { turns: [{ items: [{ content: input }, {}] }] } });
});
