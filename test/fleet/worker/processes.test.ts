import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenItems, outcomeUnknown } from "../../../src/protocol/lost-items.js";
import { FleetClient, type FleetProcess, FleetProcesses } from "../../support/fleet-processes.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../../support/nats-server.js";

const leaseSeconds = 2;

/** A command that counts its runs on disk; the second one waits until a file is there. */
function command(id: string) {
  const wait = id === "b" ? "; while [ ! -e go ]; do sleep 0.05; done" : "";
  const cmd = `printf x >> ran-${id}${wait}`;
  return { call: "shell_command", args: { command: cmd }, call_id: id };
}

const commands = ["a", "b", "c"];

describe.skipIf(!hasNatsServer())("workers that are processes", () => {
  let nats: NatsServer;
  let fleet: FleetProcesses;

  beforeAll(async () => {
    nats = await startNatsServer();
    fleet = await FleetProcesses.start((input) => {
      const known = new Set(input.map(({ call_id }) => call_id));
      const next = commands.find((id) => !known.has(id));
      return next === undefined ? [{ message: "Done." }] : [command(next)];
    });
  });

  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await nats[Symbol.asyncDispose]();
  });

  interface Started {
    client: FleetClient;
    threadId: string;
    turn: string;
    owner: FleetProcess;
    other: FleetProcess;
  }

  /** Starts two workers and a turn, and waits until its second command runs. */
  async function startTurn(pool: string): Promise<Started> {
    const client = await FleetClient.connect(nats.url, fleet, pool);
    const options = { nats: nats.url, pool, lease: leaseSeconds };
    const owner = await fleet.worker(`${pool}-1`, options);
    const threadId = await client.startThread();
    const turn = await client.say(threadId, "go");
    const other = await fleet.worker(`${pool}-2`, options);
    while (fleet.timesRun(threadId, "b") === 0) await new Promise((go) => setTimeout(go, 20));
    return { client, threadId, turn, owner, other };
  }

  /** Checks what holds for every turn, whatever happened to its worker. */
  async function expectWhole({ client, threadId, turn }: Started): Promise<string> {
    await client.untilEnd(threadId, turn);
    const events = await client.events(threadId);
    const messages = events.map(({ event }) => event.msg);
    const count = (type: string) => messages.filter((msg) => msg.type === type).length;
    expect([count("task_started"), count("task_complete")]).toEqual([1, 1]);
    expect(commands.map((id) => fleet.timesRun(threadId, id))).toEqual([1, 1, 1]);
    const open = new OpenItems();
    for (const msg of messages) open.read(msg);
    expect(open.all).toEqual([]);
    const epochs = events.map(({ epoch }) => epoch);
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
    return JSON.stringify(messages);
  }

  test.concurrent("the turn of a killed worker continues soon after its lease", async () => {
    const started = await startTurn("kill");
    started.owner.child.kill("SIGKILL");
    const at = Date.now();

    const isEnd = await started.client.until(
      started.threadId,
      ({ msg }) => msg.type === "exec_command_end" && msg.call_id === "b",
    );

    expect(Date.now() - at).toBeLessThan(1000 * (leaseSeconds + 5)); // the machine may be busy
    expect(JSON.stringify(isEnd)).toContain(outcomeUnknown);
    await expectWhole(started);
  });

  test.concurrent("a command whose worker is killed between its begin and its start is never run", async () => {
    const client = await FleetClient.connect(nats.url, fleet, "begin");
    const options = { nats: nats.url, pool: "begin", lease: leaseSeconds };
    const owner = await fleet.worker("begin-1", options);
    const threadId = await client.startThread();
    await client.until(threadId, ({ msg }) => msg.type === "session_configured");
    // A worker reads this file between the two; here that waits for a writer.
    const lock = join(fleet.workspace, ".quire-fleet", `${threadId}.lock`);
    rmSync(lock);
    execFileSync("mkfifo", [lock]);
    const turn = await client.say(threadId, "go");
    await client.until(threadId, ({ msg }) => msg.type === "exec_command_begin");

    owner.child.kill("SIGKILL");
    await owner.exit;
    rmSync(lock);
    writeFileSync(join(fleet.workspace, threadId, "go"), "");
    await fleet.worker("begin-2", options);
    await client.untilEnd(threadId, turn);

    const messages = (await client.events(threadId)).map(({ event }) => event.msg);
    const ends = messages.filter((msg) => msg.type === "exec_command_end");
    expect(commands.map((id) => fleet.timesRun(threadId, id))).toEqual([0, 1, 1]);
    expect(ends.map(({ call_id }) => call_id)).toEqual(commands);
    expect(JSON.stringify(ends[0])).toContain(outcomeUnknown);
  });

  test.concurrent("a worker that was stopped past its lease ends its commands and adds nothing", async () => {
    const started = await startTurn("stop");
    started.owner.child.kill("SIGSTOP");
    await expectWhole(started);
    const { length } = await started.client.events(started.threadId);

    started.owner.child.kill("SIGCONT");
    while (!started.owner.output().includes("no longer here")) {
      await new Promise((go) => setTimeout(go, 20));
    }
    writeFileSync(join(fleet.workspace, started.threadId, "go"), "");

    expect(await started.client.events(started.threadId)).toHaveLength(length);
    expect(await expectWhole(started)).toContain(outcomeUnknown);
  });

  test.concurrent("a worker that is asked to end hands its turn over and exits with 0", async () => {
    const started = await startTurn("drain");
    started.owner.child.kill("SIGTERM");
    writeFileSync(join(fleet.workspace, started.threadId, "go"), "");

    expect(await started.owner.exit).toBe(0);

    expect(await expectWhole(started)).not.toContain(outcomeUnknown);
  });

  test("a broker may be gone for longer than a lease", async () => {
    const started = await startTurn("broker");
    await nats.kill();
    while (!started.owner.output().includes("no longer here")) {
      await new Promise((go) => setTimeout(go, 20));
    }
    writeFileSync(join(fleet.workspace, started.threadId, "go"), "");
    await nats.start();

    expect(await expectWhole(started)).toContain(outcomeUnknown);
  });
});
