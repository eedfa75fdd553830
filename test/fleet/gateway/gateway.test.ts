import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeUnknown } from "../../../src/protocol/lost-items.js";
import { calls, hangs, says } from "../../support/model.js";
import {
  type FleetClient,
  resume,
  startFleet,
  startThread,
  startTurn,
  type TestFleet,
} from "./test-fleet.js";

const asksFirst = { approvalPolicy: "untrusted", sandbox: "workspace-write" };
const touches = (name: string, id = "c1") => calls("shell", { command: ["touch", name] }, id);

test("a turn runs at a worker, and clients of both gateways get the same numbers", async () => {
  await using fleet = await startFleet({ model: [says("Hello there.", "Hello ", "there.")] });
  const [one, two] = fleet.gateways;
  const first = await one.connect();
  const threadId = await startThread(first, fleet);
  const second = await two.connect();
  await resume(second, threadId);

  const turnId = await startTurn(first, threadId, "hi");
  const end = await first.until("turn/completed");
  await second.until("turn/completed");

  expect(end.params).toMatchObject({ threadId, turn: { id: turnId, status: "completed" } });
  expect(second.numbered.length).toBeGreaterThan(5);
  expect(second.numbered).toEqual(first.numbered.slice(-second.numbered.length));
  const methods = second.heard.map(({ method }) => method);
  const inTurn = ["turn/started", "item/started", "item/agentMessage/delta", "item/completed"];
  expect(methods).toEqual(expect.arrayContaining(inTurn));
  expect(methods.indexOf("item/agentMessage/delta")).toBeGreaterThan(
    methods.indexOf("item/started"),
  );
  expect(first.heard.findIndex(({ method }) => method === "turn/started")).toBeGreaterThan(-1);
});

test("a client moves between gateways in mid-turn without loss or repetition", async () => {
  const model = [touches("a"), touches("b", "c2"), touches("c", "c3"), says("Done.")];
  await using fleet = await startFleet({ model });
  const [one, two] = fleet.gateways;
  const witness = await one.connect();
  const threadId = await startThread(witness, fleet, asksFirst);
  const mover = await one.connect();
  await resume(mover, threadId);
  await startTurn(witness, threadId, "go");

  const seen: { method: string; seq: number }[] = [];
  let client = mover;
  for (const gateway of [two, one, two]) {
    const { answer } = await client.question();
    const before = seen.at(-1)?.seq ?? 0;
    seen.push(...client.numbered.filter(({ seq }) => seq > before));
    void client.close();
    client = await gateway.connect();
    await resume(client, threadId, seen.at(-1)?.seq ?? 0);
    const again = await client.question();
    answer({ decision: "decline" }); // the connection is closed: this answer is lost
    again.answer({ decision: "accept" });
  }
  await client.until("turn/completed");
  const before = seen.at(-1)?.seq ?? 0;
  seen.push(...client.numbered.filter(({ seq }) => seq > before));
  await witness.until("turn/completed");

  expect(seen).toEqual(witness.numbered.filter(({ seq }) => seq >= (seen[0]?.seq ?? 0)));
  expect(client.heard.map(({ method }) => method)).not.toContain("thread/resync");
  expect(fleet.workspace).toBeTypeOf("string");
});

test("a new gateway replays a long thread from its log, equal to what was sent live", async () => {
  const long = "word ".repeat(30_000);
  await using fleet = await startFleet({ model: Array.from({ length: 3 }, () => says(long)) });
  const [one, two] = fleet.gateways;
  const witness = await one.connect();
  const threadId = await startThread(witness, fleet);
  for (const turn of ["a", "b", "c"]) {
    await startTurn(witness, threadId, turn);
    await witness.until("turn/completed");
  }

  const late = await two.connect();
  await resume(late, threadId, 0);
  for (let turn = 0; turn < 3; turn++) await late.until("turn/completed");

  expect(late.numbered).toEqual(witness.numbered);
  expect(late.heard.map(({ method }) => method)).not.toContain("thread/resync");
});

test("a message that is sent again is in the thread once, and answered with the same turn", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
  const [one, two] = fleet.gateways;
  const [first, second] = [await one.connect(), await two.connect()];
  const threadId = await startThread(first, fleet);
  const message = { clientUserMessageId: "m1" };

  const ids = await Promise.all([
    startTurn(first, threadId, "hi", message),
    startTurn(second, threadId, "hi", message),
  ]);
  await first.until("turn/completed");
  ids.push(await startTurn(second, threadId, "hi", message));
  one.broker.cut(); // the reply is lost: the client sends it again elsewhere
  void startTurn(first, threadId, "again", { clientUserMessageId: "m2" }).catch(() => {});
  one.broker.mend();
  const again = await startTurn(second, threadId, "again", { clientUserMessageId: "m2" });
  for (let turn = 0; turn < 2; turn++) await second.until("turn/completed");

  expect(new Set(ids).size).toBe(1);
  expect(again).not.toBe(ids[0]);
  const read = await second.call("thread/read", { threadId, includeTurns: true });
  const { turns } = (read as { thread: { turns: { id: string; items: { type: string }[] }[] } })
    .thread;
  expect(turns.map(({ id }) => id)).toEqual([ids[0], again]);
  const messages = turns.flatMap(({ items }) => items.filter(({ type }) => type === "userMessage"));
  expect(messages).toMatchObject([{ clientId: "m1" }, { clientId: "m2" }]);
  const items = first.numbered.filter(({ method }) => method === "item/completed");
  expect(items[0]?.params).toMatchObject({ item: { type: "userMessage", clientId: "m1" } });
});

test("a message during a turn joins it, also for those who send it again", async () => {
  await using fleet = await startFleet({ model: [touches("a"), says("Both.")] });
  const [one, two] = fleet.gateways;
  const [first, second] = [await one.connect(), await two.connect()];
  const threadId = await startThread(first, fleet, asksFirst);
  const running = await startTurn(first, threadId, "go");
  const { answer } = await first.question();

  const message = { clientUserMessageId: "m2" };
  const joined = await startTurn(first, threadId, "and this", message);
  answer({ decision: "accept" });
  await first.until("turn/completed");
  const again = await startTurn(second, threadId, "and this", message);

  expect([joined, again]).toEqual([running, running]);
});

test("a question reaches the clients of all gateways and those that come later; one answer counts", async () => {
  await using fleet = await startFleet({ model: [touches("made.txt"), says("Done.")] });
  const [one, two] = fleet.gateways;
  const [first, second] = [await one.connect(), await two.connect()];
  const threadId = await startThread(first, fleet, asksFirst);
  await resume(second, threadId);
  await startTurn(first, threadId, "go");
  const asked = await Promise.all([first.question(), second.question()]);
  const late = await (await fleet.addGateway()).connect();
  await resume(late, threadId);
  asked.push(await late.question());

  for (const { answer } of asked) answer({ decision: "accept" });
  const clients = [first, second, late];
  for (const client of clients) {
    await client.until("serverRequest/resolved");
    await client.until("turn/completed");
  }

  expect(asked.map(({ request }) => request.method)).toEqual(
    Array.from({ length: 3 }, () => "item/commandExecution/requestApproval"),
  );
  const log = await readEvents(fleet, threadId);
  expect(log.filter(({ type }) => type === "question_answered")).toHaveLength(1);
  expect(log.filter(({ type }) => type === "exec_command_begin")).toHaveLength(1);
  expect(await readFile(join(fleet.workspace, "made.txt"), "utf8")).toBe("");
});

async function readEvents(fleet: TestFleet, threadId: string): Promise<{ type: string }[]> {
  const events: { type: string }[] = [];
  for await (const { entries } of fleet.store.connect().log.read(threadId, 0)) {
    for (const entry of entries) if ("event" in entry) events.push(entry.event.msg);
  }
  return events;
}

test("a question outlives the gateway that showed it", async () => {
  await using fleet = await startFleet({ model: [touches("made.txt"), says("Done.")] });
  const [one, two] = fleet.gateways;
  const first = await one.connect();
  const threadId = await startThread(first, fleet, asksFirst);
  await startTurn(first, threadId, "go");
  await first.question();
  await one.kill();

  const second = await two.connect();
  await resume(second, threadId);
  (await second.question()).answer({ decision: "decline" });
  const end = await second.until("turn/completed");

  expect(end.params).toMatchObject({ turn: { status: "completed" } });
  const declined = second.numbered.find(({ method }) => method === "item/completed");
  expect(declined?.params).toMatchObject({ item: { status: "declined" } });
});

test("a question outlives the worker that asked, and is not asked twice", async () => {
  await using fleet = await startFleet({ model: [touches("made.txt"), says("Done.")] });
  const [one, two] = fleet.gateways;
  const [first, second] = [await one.connect(), await two.connect()];
  const threadId = await startThread(first, fleet, asksFirst);
  await resume(second, threadId);
  await startTurn(first, threadId, "go");
  await first.question();
  const { answer } = await second.question();

  await fleet.killWorker();
  answer({ decision: "accept" });
  await fleet.addWorker();
  const ends = [await first.until("turn/completed"), await second.until("turn/completed")];

  expect(ends[0]?.params).toMatchObject({ turn: { status: "completed" } });
  expect(second.numbered).toEqual(first.numbered.slice(-second.numbered.length));
  expect([first.questions, second.questions].map(({ length }) => length)).toEqual([1, 1]);
  const log = await readEvents(fleet, threadId);
  expect(log.filter(({ type }) => type === "exec_command_begin")).toHaveLength(1);
});

test("a command that was under way when its worker was lost is in the stored turn, at its place", async () => {
  const sleeps = calls("shell", { command: ["sleep", "60"] }, "c2");
  const model = [touches("a"), sleeps, touches("b", "c3"), says("Done.")];
  await using fleet = await startFleet({ model });
  const [one, two] = fleet.gateways;
  const client = await one.connect();
  const threadId = await startThread(client, fleet);
  await startTurn(client, threadId, "go");
  for (const _ of ["message", "c1", "c2"]) await client.until("item/started");

  await fleet.killWorker();
  await fleet.addWorker();
  await client.until("turn/completed");

  const reader = await two.connect();
  const read = await reader.call("thread/read", { threadId, includeTurns: true });
  const { turns } = (read as { thread: { turns: { items: object[] }[] } }).thread;
  expect(turns[0]?.items).toMatchObject([
    { type: "userMessage" },
    { id: "c1", status: "completed", exitCode: 0 },
    { id: "c2", status: "failed", exitCode: -1, aggregatedOutput: outcomeUnknown },
    { id: "c3", status: "completed", exitCode: 0 },
    { type: "agentMessage", text: "Done." },
  ]);
});

test("thread/read and thread/list are equal at all gateways", async () => {
  const model = [says("One."), touches("a"), says("Two.")];
  await using fleet = await startFleet({ model });
  const [one, two] = fleet.gateways;
  const first = await one.connect();
  const threadId = await startThread(first, fleet, asksFirst);
  await startTurn(first, threadId, "hi");
  await first.until("turn/completed");
  await startTurn(first, threadId, "go");
  const question = await first.question();
  const second = await two.connect();
  const read = async (client: FleetClient) => [
    await client.call("thread/read", { threadId }),
    await client.call("thread/read", { threadId, includeTurns: true }),
    await client.call("thread/list", {}),
    await client.call("thread/turns/list", { threadId }),
    await client.call("thread/items/list", { threadId }),
  ];

  const running = [await read(first), await read(second)];
  question.answer({ decision: "accept" });
  await first.until("turn/completed");
  const idle = [await read(first), await read(second)];

  expect(running[1]).toEqual(running[0]);
  expect(idle[1]).toEqual(idle[0]);
  const status = { type: "active", activeFlags: ["waitingOnApproval"] };
  expect(running[0]?.[0]).toMatchObject({ thread: { path: null, status } });
  expect(running[0]?.[2]).toMatchObject({ data: [{ id: threadId, preview: "hi", status }] });
  expect(idle[0]?.[1]).toMatchObject({
    thread: { turns: [{ status: "completed" }, { status: "completed" }] },
  });
  expect(JSON.stringify(idle)).not.toContain('"inProgress"');
});

test("a turn is interrupted from another gateway, and leaves no item in progress", async () => {
  await using fleet = await startFleet({ model: [hangs(says("half"))] });
  const [one, two] = fleet.gateways;
  const first = await one.connect();
  const threadId = await startThread(first, fleet);
  const turnId = await startTurn(first, threadId, "go");
  await first.until("item/agentMessage/delta");

  const second = await two.connect();
  await second.call("turn/interrupt", { threadId, turnId });
  const end = await first.until("turn/completed");

  expect(end.params).toMatchObject({ turn: { id: turnId, status: "interrupted" } });
  const read = await second.call("thread/read", { threadId, includeTurns: true });
  expect(JSON.stringify(read)).not.toContain('"inProgress"');
});

test("a turn is answered while the broker is away, once it is back", async () => {
  await using fleet = await startFleet({ model: [says("Hello.")] });
  const [one] = fleet.gateways;
  const client = await one.connect();
  const threadId = await startThread(client, fleet);

  one.broker.cut();
  const turn = startTurn(client, threadId, "hi");
  await client.call("model/list", {});
  one.broker.mend();

  const end = await client.until("turn/completed");
  expect(end.params).toMatchObject({ turn: { id: await turn, status: "completed" } });
});

test("a thread that no worker takes is reported, and so is one that is refused", async () => {
  await using fleet = await startFleet({ model: [], startMs: 50, worker: false });
  const client = await fleet.gateways[0].connect();

  await expect(startThread(client, fleet)).rejects.toThrow(/No worker of pool "main" has started/);
  await expect(client.call("thread/read", { threadId: unknownId })).rejects.toThrow(
    /thread not loaded/,
  );
});

test.each([
  ["fs/readFile", { path: "/tmp/x" }],
  ["skills/extraRoots/set", { extraRoots: ["/tmp/skills"] }],
])("a gateway refuses %s, which needs the machine of a thread", async (method, params) => {
  await using fleet = await startFleet({ model: [], worker: false });
  const client = await fleet.gateways[0].connect();

  await expect(client.call(method, params)).rejects.toThrow(
    `\`${method}\` is not available at the gateway of a fleet`,
  );
});

const unknownId = "01990000-0000-7000-8000-000000000000";
