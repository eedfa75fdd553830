import { expect, test } from "vitest";
import type { ThreadBackgroundTerminalsListResponse } from "../../../src/protocol/rpc/v2/background-terminals.js";
import { calls, says } from "../../support/model.js";
import { untilGone } from "../../support/processes.js";
import type { TestClient } from "../../support/server.js";
import { talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

const config = { sandbox_mode: "danger-full-access", approval_policy: "never", model: "gpt-5.5" };

/** Starts a thread whose model leaves commands running that print their process number. */
async function startBackground(commands: readonly string[]) {
  const started = commands.map((cmd, index) =>
    calls("exec_command", { cmd, yield_time_ms: 250 }, `c${index + 1}`),
  );
  const server = await startAppServer({ model: [...started, says("Started.")], config });
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);
  await talk(client, threadId, "go");
  const list = async (params: object = {}) =>
    (await client.call("thread/backgroundTerminals/list", {
      threadId,
      ...params,
    })) as ThreadBackgroundTerminalsListResponse;
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, client, threadId, list, [Symbol.asyncDispose]: dispose };
}

/** Waits for the end of a command; returns its item and turn. */
async function ended(client: TestClient, itemId: string) {
  for (;;) {
    const { params } = await client.until("item/completed");
    const { item, turnId } = params as { item: { id: string }; turnId: string };
    if (item.id === itemId) return { item, turnId };
  }
}

/** Returns the process numbers that commands have printed. */
function pidsOf(client: TestClient): number[] {
  return client.heard
    .filter(({ method }) => method === "item/commandExecution/outputDelta")
    .map(({ params }) => Number((params as { delta: string }).delta));
}

const endless = "echo $$; exec sleep 600";

test("commands that outlive their turn are listed, and ended by their id", async () => {
  await using scene = await startBackground([endless, endless]);
  const { server, client, threadId, list } = scene;
  const terminate = (processId: string) =>
    client.call("thread/backgroundTerminals/terminate", { threadId, processId });

  const all = await list();
  const page = await list({ limit: 1 });
  const [first, second] = all.data;
  client.heard.length = 0;
  const answer = await terminate(first?.processId ?? "");
  const { item } = await ended(client, "c1");

  const unmeasured = { osPid: null, cpuPercent: null, rssKb: null };
  const facts = { command: endless, cwd: server.workspace, ...unmeasured };
  const startedAtMs = expect.any(Number);
  expect(all).toEqual({
    data: [
      { itemId: "c1", processId: expect.any(String), ...facts, startedAtMs },
      { itemId: "c2", processId: expect.any(String), ...facts, startedAtMs },
    ],
    nextCursor: null,
  });
  expect(page).toEqual({ data: [first], nextCursor: "1" });
  expect(answer).toEqual({ terminated: true });
  expect(item).toMatchObject({ status: "failed", exitCode: -1, processId: first?.processId });
  expect((await list()).data).toEqual([second]);
  expect(await terminate(first?.processId ?? "")).toEqual({ terminated: false });
});

test("all commands are ended at once, and with their thread", async () => {
  await using scene = await startBackground([endless, endless]);
  const { client, threadId, list } = scene;
  const [first = 0, second = 0] = pidsOf(client);

  expect(await client.call("thread/backgroundTerminals/clean", { threadId })).toEqual({});
  const { item } = await ended(client, "c2");
  await untilGone([first, second]);

  expect(item).toMatchObject({ status: "failed", exitCode: 137 });
  expect((await list()).data).toEqual([]);
});

test("a thread that is archived ends its commands", async () => {
  await using scene = await startBackground([endless]);
  const { client, threadId } = scene;
  const pids = pidsOf(client);

  await client.call("thread/archive", { threadId });

  expect(pids).toHaveLength(1);
  await untilGone(pids);
});

test.each([
  ["list", { cursor: "junk" }, "invalid cursor: invalid digit found in string"],
  [
    "terminate",
    { processId: "abc" },
    "invalid background terminal process id: invalid digit found in string",
  ],
  ["clean", { threadId: "00000000-0000-7000-8000-000000000000" }, /^thread not found: 0000/],
])("%s refuses %o", async (method, params, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);

  const call = client.call(`thread/backgroundTerminals/${method}`, { threadId, ...params });

  await expect(call).rejects.toMatchObject({
    code: -32600,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
});
