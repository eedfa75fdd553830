import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ThreadItem } from "../../../src/protocol/rpc/v2/item.js";
import type { TokenCountEvent } from "../../../src/protocol/types.js";
import { type Opened, texts } from "../methods/support.js";
import { begin, say, startAppServer } from "../methods/thread.js";

function phases(items: readonly ThreadItem[]): unknown[] {
  return items.flatMap((item) => (item.type === "agentMessage" ? [item.phase] : []));
}

test("[clients 4] a message has the phase that the model gave it, live and when read again", async () => {
  const model = [
    [
      { message: "I look.", phase: "commentary" },
      { call: "shell", args: { command: ["true"] } },
    ],
    [{ message: "Done.", phase: "final_answer" }, { message: "No phase." }],
  ];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "go");
  await client.until("turn/completed");
  const itemsOf = (method: string) =>
    client.heard
      .filter((one) => one.method === method)
      .map(({ params }) => (params as { item: ThreadItem }).item);

  const read = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;
  await server.server.threads.get(threadId).close();
  const resumed = (await client.call("thread/resume", { threadId })) as Opened;

  const all = ["commentary", "final_answer", null];
  expect(phases(itemsOf("item/started"))).toEqual(all);
  expect(phases(itemsOf("item/completed"))).toEqual(all);
  expect(phases(read.thread.turns.flatMap(({ items }) => items))).toEqual(all);
  expect(phases(resumed.thread.turns.flatMap(({ items }) => items))).toEqual(all);
});

test("[clients 5] each response is counted once, live and in the file", async () => {
  const model = [
    [{ call: "shell", args: { command: ["true"] }, call_id: "c1" }],
    [{ call: "shell", args: { command: ["true"] }, call_id: "c2" }],
    [{ message: "Done." }],
  ];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "go");
  await client.until("turn/completed");
  const { thread } = (await client.call("thread/read", { threadId })) as Opened;

  const logged = readFileSync(thread.path ?? "", "utf8")
    .split("\n")
    .filter((line) => line.includes('"token_count"'))
    .map((line) => (JSON.parse(line) as { payload: TokenCountEvent }).payload.info);
  const sum = logged.reduce((all, info) => all + (info?.last_token_usage.total_tokens ?? 0), 0);
  const count = (method: string) => client.heard.filter((one) => one.method === method).length;
  expect(logged).toHaveLength(3);
  expect(sum).toBe(logged.at(-1)?.total_token_usage.total_tokens);
  expect(count("thread/tokenUsage/updated")).toBe(3);
  expect(count("account/rateLimits/updated")).toBe(3);
});

test("[clients] a message that is sent twice with the same client id is one message", async () => {
  const model = [[{ message: "One." }], [{ message: "Two." }]];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  const send = async (text: string, clientUserMessageId: string) => {
    const input = [{ type: "text", text }];
    const answer = await client.call("turn/start", { threadId, input, clientUserMessageId });
    return (answer as { turn: { id: string } }).turn.id;
  };

  const first = await send("go", "1");
  const again = await send("go", "1");
  await client.until("turn/completed");
  const late = await send("go", "1");
  const other = await send("on", "1");
  await client.until("turn/completed");
  const { thread } = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;

  expect([again, late]).toEqual([first, first]);
  expect(other).not.toBe(first);
  expect(texts(thread.turns)).toEqual([
    ["go", "One."],
    ["on", "Two."],
  ]);
});

test("[clients 7] a named thread can be read with its turns before the first one", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);
  const read = () => client.call("thread/read", { threadId, includeTurns: true });

  const before = await read().catch((error: Error) => error.message);
  await client.call("thread/name/set", { threadId, name: "mine" });
  const after = (await read()) as Opened;

  expect(before).toContain("is not materialized yet");
  expect(after.thread.turns).toEqual([]);
});
