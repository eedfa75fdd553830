import { describe, expect, test } from "vitest";
import { connect } from "../../../src/transport/index.js";
import { FleetProcesses } from "../../support/fleet-processes.js";
import { hasNatsServer, startNatsServer } from "../../support/nats-server.js";
import { ChannelClient } from "../../support/server.js";
import { QueueClient } from "./queue-client.js";

describe.skipIf(!hasNatsServer())("gateways that are processes, on NATS", () => {
  test("a client goes on at another gateway after a kill, and a worker goes on with the turn", async () => {
    await using nats = await startNatsServer();
    await using fleet = await FleetProcesses.start((input) =>
      input.some(({ call_id }) => call_id === "a")
        ? [{ message: "Done." }]
        : [{ call: "shell_command", args: { command: "printf x >> ran-a" }, call_id: "a" }],
    );
    const options = { nats: nats.url, pool: "p", lease: 2 };
    const [worker] = await Promise.all([fleet.worker("w1", options)]);
    const gateways = await Promise.all(["g1", "g2"].map((name) => fleet.gateway(name, options)));
    const urls = gateways.map(({ url }) => url);
    const first = await connectTo(urls[0] ?? "");
    const start = { cwd: fleet.workspace, approvalPolicy: "untrusted" };
    const { thread } = (await first.call("thread/start", start)) as { thread: { id: string } };
    const threadId = thread.id;
    const message = { threadId, input: [{ type: "text", text: "go" }], clientUserMessageId: "m" };
    const sent = (await first.call("turn/start", message)) as { turn: { id: string } };
    await first.asked;
    const after = first.seqs.at(-1) ?? 0;

    gateways[0]?.child.kill("SIGKILL");
    worker?.child.kill("SIGKILL");
    await fleet.worker("w2", options);
    const second = await connectTo(urls[1] ?? "", { decision: "accept" });
    await second.call("thread/resume", { threadId, excludeTurns: true, after });
    const again = (await second.call("turn/start", message)) as { turn: { id: string } };
    const end = await second.until("turn/completed");

    expect(again.turn.id).toBe(sent.turn.id);
    expect(end.params).toMatchObject({ turn: { id: sent.turn.id, status: "completed" } });
    expect(second.seqs[0]).toBeGreaterThan(after);
    expect(second.seqs).toEqual([...new Set(second.seqs)].sort((a, b) => a - b));
    expect(second.heard.map(({ method }) => method)).not.toContain("thread/resync");
    const read = await second.call("thread/read", { threadId, includeTurns: true });
    expect(JSON.stringify(read)).not.toContain('"inProgress"');
    void first.close();
    await second.close();
  }, 60_000);

  test("a thread of a v1 client is continued by a client of the queues, and read by v1 again", async () => {
    await using nats = await startNatsServer();
    await using fleet = await FleetProcesses.start((input) => [
      { message: `Answer ${input.filter(isOfUser).length}.` },
    ]);
    const options = { nats: nats.url, pool: "p", lease: 2 };
    await fleet.worker("w1", options);
    const [v1, proto] = await Promise.all([
      fleet.gateway("g1", options),
      fleet.gateway("g2", options, ["--surface", "proto"]),
    ]);
    const first = await connectTo(v1.url);
    const { conversationId } = (await first.call("newConversation", { cwd: fleet.workspace })) as {
      conversationId: string;
    };
    await first.call("addConversationListener", { conversationId });
    const items = [{ type: "text", data: { text: "one" } }];
    await first.call("sendUserMessage", { conversationId, items });
    const own = await first.until("codex/event/task_complete");

    const queues = new QueueClient(await connect(proto.url));
    queues.submit("1", { type: "configure_session", resume_path: conversationId });
    await queues.until("session_configured");
    queues.submit("2", { type: "user_input", items: [{ type: "text", text: "two" }] });
    const ended = await queues.until("task_complete");
    const other = await first.until("codex/event/task_complete");

    expect(own.params).toMatchObject({ msg: { last_agent_message: "Answer 1." } });
    expect(ended).toMatchObject({ id: "2", msg: { last_agent_message: "Answer 2." } });
    expect(other.params).toMatchObject({ msg: { last_agent_message: "Answer 2." } });
    await Promise.all([first.close(), queues.close()]);
  }, 60_000);
});

/** Returns true for a message of the user, not for what the engine adds for the model. */
function isOfUser({ content }: { content?: unknown }): boolean {
  return /"text":"(one|two)"/.test(JSON.stringify(content) ?? "");
}

/** Connects a client that answers questions, if `answer` is given. */
async function connectTo(url: string, answer?: unknown) {
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const onRequest = () => {
    onAsked();
    return answer ?? new Promise(() => {});
  };
  const client = new ChannelClient(await connect(url), onRequest, false);
  const capabilities = { experimentalApi: true, sequenceNumbers: true };
  await client.call("initialize", { clientInfo: { name: "test", version: "1" }, capabilities });
  return Object.assign(client, { asked });
}
