import { expect, test } from "vitest";
import { DeltaWriter, mergeItemDeltas } from "../../../src/server/feed/message.js";
import { begin, initialize, say, startAppServer, startThread, told } from "../methods/thread.js";

const slowly = {
  model: [
    [{ call: "shell", args: { command: ["sleep", "0.3"] }, call_id: "c1" }],
    [{ message: "Done." }],
  ],
};

test("two clients of one thread receive the same messages in the same order", async () => {
  await using server = await startAppServer(slowly);
  const [one, other] = [server.connect(), server.connect()];
  const threadId = await begin(one);
  await initialize(other);
  await other.call("thread/resume", { threadId });

  await say(one, threadId, "go");
  await Promise.all([one.until("turn/completed"), other.until("turn/completed")]);

  const ofTurn = ({ method }: { method: string }) => /^(item|turn)\//.test(method);
  expect(one.heard.filter(ofTurn)).toHaveLength(9);
  expect(other.heard.filter(ofTurn)).toEqual(one.heard.filter(ofTurn));
});

test("opting out of a notification does not affect other clients", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const [one, other] = [server.connect(), server.connect()];
  const threadId = await begin(one);
  await initialize(other, { optOutNotificationMethods: ["item/agentMessage/delta"] });
  await other.call("thread/resume", { threadId });

  await say(one, threadId, "hi");
  await Promise.all([one.until("turn/completed"), other.until("turn/completed")]);

  expect(told(one)).toContain("item/agentMessage/delta");
  expect(told(other)).not.toContain("item/agentMessage/delta");
});

test("a turn continues for the other clients when one disconnects", async () => {
  await using server = await startAppServer(slowly);
  const [gone, other] = [server.connect(), server.connect()];
  const threadId = await begin(gone);
  await initialize(other);
  await other.call("thread/resume", { threadId });

  await say(gone, threadId, "go");
  await other.until("turn/started");
  await gone.close();
  const { params } = await other.until("turn/completed");

  expect(params).toMatchObject({ turn: { status: "completed" } });
});

test("a client that reconnects receives the messages after its last sequence number", async () => {
  await using server = await startAppServer(slowly);
  const [first, witness] = [server.connect(), server.connect()];
  await initialize(first, { sequenceNumbers: true });
  await initialize(witness, { sequenceNumbers: true });
  const threadId = await startThread(first);
  await witness.call("thread/resume", { threadId });

  await say(first, threadId, "go");
  await first.until("turn/started");
  const after = first.seqs.at(-1) ?? 0;
  await first.close();
  await witness.until("turn/completed");
  const second = server.connect();
  await initialize(second, { sequenceNumbers: true });
  await second.call("thread/resume", { threadId, after });
  await second.until("turn/completed");

  const missed = witness.seqs.filter((seq) => seq > after);
  expect(missed.length).toBeGreaterThan(4);
  expect(second.seqs.slice(0, missed.length)).toEqual(missed);
  expect(told(second)).not.toContain("thread/resync");
});

test("a client that missed dropped messages receives `thread/resync`", async () => {
  const text = "x".repeat(100_000);
  const model = [text, text, text, text].map((message) => [{ message }]);
  await using server = await startAppServer({ model });
  const client = server.connect();
  const threadId = await begin(client);
  for (const _ of model) {
    await say(client, threadId, "go");
    await client.until("turn/completed");
  }

  const back = server.connect();
  await initialize(back, { sequenceNumbers: true });
  await back.call("thread/resume", { threadId, after: 1 });
  const { params } = await back.until("thread/resync");

  expect(params).toEqual({ threadId, after: 1, seq: expect.any(Number) });
  expect((params as { seq: number }).seq).toBeGreaterThan(1);
});

test("sequence numbers are sent only to clients with the capability", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const threadId = await begin(client);

  await say(client, threadId, "hi");
  await client.until("turn/completed");

  expect(client.seqs).toEqual([]);
});

test("deltas of one text are merged, others are not", () => {
  const piece = (delta: string, itemId = "m1", method = "item/agentMessage/delta") => ({
    method,
    params: { threadId: "t", turnId: "u", itemId, delta },
  });

  expect(mergeItemDeltas(piece("a"), piece("b"))).toEqual(piece("ab"));
  expect(mergeItemDeltas(piece("a"), piece("b", "m2"))).toBeUndefined();
  expect(mergeItemDeltas(piece("a"), piece("b", "m1", "item/plan/delta"))).toBeUndefined();
  expect(
    mergeItemDeltas(
      piece("a", "m1", "item/commandExecution/outputDelta"),
      piece("b", "m1", "item/commandExecution/outputDelta"),
    ),
  ).toEqual(piece("ab", "m1", "item/commandExecution/outputDelta"));
});

test("deltas are serialized like any other message", () => {
  const writer = new DeltaWriter();
  const place = { threadId: "t", turnId: "u", itemId: 'm"1' };
  const pieces = [
    ["item/agentMessage/delta", { ...place, delta: "a\n" }],
    ["item/agentMessage/delta", { ...place, delta: '"b"' }],
    ["item/plan/delta", { ...place, delta: "c" }],
    ["item/reasoning/summaryTextDelta", { ...place, summaryIndex: 0, delta: "d" }],
    ["item/reasoning/summaryTextDelta", { ...place, summaryIndex: 1, delta: "e" }],
  ] as const;

  for (const [method, params] of pieces) {
    for (const members of [undefined, { emittedAtMs: 5 }]) {
      const text = writer.write(method, params, members).toText(false);
      expect(JSON.parse(text)).toEqual({ method, params, ...members });
    }
  }
});

test("a client that subscribes in v1 and v2 receives each event once", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  await initialize(client, { legacyEvents: true });
  const threadId = await startThread(client);
  const { subscriptionId } = (await client.call("addConversationListener", {
    conversationId: threadId,
  })) as { subscriptionId: string };

  await say(client, threadId, "hi");
  await client.until("turn/completed");
  await client.call("removeConversationListener", { subscriptionId });

  const begun = told(client).filter((name) => name === "codex/event/task_started");
  expect(begun).toHaveLength(1);
});

test("[documents D14] a v2 client with a v1 listener receives events and one approval request", async () => {
  const command = { command: ["touch", "made.txt"] };
  await using server = await startAppServer({
    model: [[{ call: "shell", args: command, call_id: "c1" }], [{ message: "Done." }]],
    config: { approval_policy: "untrusted" },
  });
  const asked: string[] = [];
  const client = server.connect(({ method }) => {
    asked.push(method);
    return { decision: "accept" };
  });
  const threadId = await begin(client);

  await client.call("addConversationListener", { conversationId: threadId });
  await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(told(client)).toContain("codex/event/exec_approval_request");
  expect(told(client)).toContain("item/completed commandExecution");
  expect(asked).toEqual(["item/commandExecution/requestApproval"]);
});
