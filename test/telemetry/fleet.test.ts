import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { connect } from "../../src/transport/index.js";
import { type Collector, startCollector } from "../support/collector.js";
import { type AnswerTo, FleetProcesses } from "../support/fleet-processes.js";
import { hasNatsServer, startNatsServer } from "../support/nats-server.js";
import { ChannelClient } from "../support/server.js";

const callIds = ["a", "b", "c"];
const pool = "p";

/** A turn with three commands, and an answer when it has the outputs of all. */
const threeTools: AnswerTo = (input) => {
  const known = new Set(input.map(({ call_id }) => call_id));
  const open = callIds.filter((id) => !known.has(id));
  if (open.length === 0) return [{ message: "Done." }];
  return open.map((id) => ({
    call: "shell_command",
    args: { command: `printf x >> ran-${id}` },
    call_id: id,
  }));
};

function toCollector(url: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_METRIC_EXPORT_INTERVAL: "100",
  };
}

describe.skipIf(!hasNatsServer())("telemetry of a fleet", () => {
  test("a turn is one trace from gateway to worker, and leases and the queue are measured", async () => {
    await using nats = await startNatsServer();
    await using collector = await startCollector();
    await using fleet = await FleetProcesses.start(threeTools, toCollector(collector.url));
    const [gateway, worker] = await Promise.all([
      fleet.gateway("g", { nats: nats.url, pool }),
      fleet.worker("w", { nats: nats.url, pool, lease: 10 }),
    ]);

    const client = await connectTo(gateway.url);
    const threadId = await startThread(client, fleet.workspace);
    await runTurn(client, { threadId });
    await until(() => collector.spans().length >= 7);

    const sent = collector.span("send turn");
    const turn = collector.span("invoke_agent");
    expect([sent.parentSpanId ?? "", turn.parentSpanId]).toEqual(["", sent.spanId]);
    expectBelow(collector, turn);

    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await runTurn(client, { threadId, _meta: { traceparent } });
    const ofCaller = () => collector.spans().filter((span) => span.traceId === traceId);
    await until(() => ofCaller().some(({ name }) => name === "invoke_agent"));
    const second = ofCaller().find(({ name }) => name === "invoke_agent");
    expect(second?.parentSpanId).toBe("b7ad6b7169203331");

    await client.close();
    worker.child.kill("SIGTERM");
    await worker.exit;
    const changes = collector.points("quire.fleet.lease.changes");
    expect(new Set(changes.map(({ attributes }) => attributes["quire.lease.change"]))).toEqual(
      new Set(["acquired", "released"]),
    );
    expect(
      collector.points("quire.fleet.leases").map(({ asInt, asDouble }) => asInt ?? asDouble),
    ).toContain(1);
    expect(Number(collector.points("quire.fleet.queue.lag").at(-1)?.count)).toBe(3);
    expect(collector.points("quire.fleet.queue.pending")).not.toEqual([]);
  }, 60_000);

  test("a turn that another worker continues stays one trace", async () => {
    await using nats = await startNatsServer();
    await using collector = await startCollector();
    await using fleet = await FleetProcesses.start(threeTools, toCollector(collector.url));
    const [gateway, first] = await Promise.all([
      fleet.gateway("g", { nats: nats.url, pool }),
      fleet.worker("w1", { nats: nats.url, pool, lease: 1 }),
    ]);
    const client = await connectTo(gateway.url, () => new Promise(() => {}));
    const threadId = await startThread(client, fleet.workspace, "untrusted");
    const input = [{ type: "text", text: "go" }];
    await client.call("turn/start", { threadId, input });
    await client.asked;
    await until(() => collector.spans().some(({ name }) => name.startsWith("chat ")));

    first.child.kill("SIGKILL");
    await fleet.worker("w2", { nats: nats.url, pool, lease: 1 });
    const other = await connectTo(gateway.url, () => ({ decision: "accept" }));
    await other.call("thread/resume", { threadId });
    await other.until("turn/completed");
    await until(() => collector.spans().some(({ name }) => name === "invoke_agent"));

    const spans = collector.spans();
    const sent = collector.span("send turn");
    const turn = collector.span("invoke_agent");
    expect(turn.parentSpanId).toBe(sent.spanId);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([sent.traceId]));
    const tools = spans.filter(({ name }) => name === "execute_tool shell_command");
    expect(tools.map(({ parentSpanId }) => parentSpanId)).toEqual(callIds.map(() => turn.spanId));
    expect(spans.filter(({ name }) => name.startsWith("chat ")).at(-1)?.parentSpanId).toBe(
      turn.spanId,
    );
    void client.close();
    await other.close();
  }, 60_000);

  test("the listeners of gateway and worker answer probes and serve metrics", async () => {
    await using nats = await startNatsServer();
    const env = { OTEL_METRICS_EXPORTER: "prometheus" };
    await using fleet = await FleetProcesses.start(threeTools, env);
    const [gateway, worker] = await Promise.all([
      fleet.gateway("g", { nats: nats.url, pool }),
      fleet.worker("w", { nats: nats.url, pool, lease: 10 }, ["--metrics", "127.0.0.1:0"]),
    ]);
    const client = await connectTo(gateway.url);
    await runTurn(client, { threadId: await startThread(client, fleet.workspace) });

    const ofGateway = gateway.url.replace(/^ws/, "http");
    const ofWorker = /metrics at (\S+)\/metrics/.exec(worker.output())?.[1] ?? "";
    for (const base of [ofGateway, ofWorker]) {
      expect((await fetch(`${base}/healthz`)).status).toBe(200);
      expect((await fetch(`${base}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^quire_threads 1$/m);
    }
    const text = await (await fetch(`${ofWorker}/metrics`)).text();
    expect(text).toMatch(/^quire_fleet_leases 1$/m);
    expect(text).toMatch(/^quire_fleet_lease_changes_total\{quire_lease_change="acquired"\} 1$/m);
    expect(text).toMatch(/^quire_fleet_queue_lag_seconds_count 2$/m);
    await client.close();
  }, 60_000);

  test("a collector that never answers delays neither the turn nor the end of a worker", async () => {
    await using nats = await startNatsServer();
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const env = toCollector(`http://127.0.0.1:${port}`);
    await using fleet = await FleetProcesses.start(threeTools, env);
    const [gateway, worker] = await Promise.all([
      fleet.gateway("g", { nats: nats.url, pool }),
      fleet.worker("w", { nats: nats.url, pool, lease: 10 }),
    ]);
    const client = await connectTo(gateway.url);
    const threadId = await startThread(client, fleet.workspace);
    for (let n = 0; n < 3; n++) await runTurn(client, { threadId });
    await client.close();

    const startMs = performance.now();
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    silent.close();
  }, 60_000);
});

/** Checks that the trace of a turn has two requests to the model, and three calls of the first one. */
function expectBelow(collector: Collector, turn: { traceId: string; spanId: string }): void {
  const spans = collector.spans();
  const chats = spans.filter(({ name }) => name.startsWith("chat "));
  const tools = spans.filter(({ name }) => name === "execute_tool shell_command");
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([turn.traceId]));
  expect(chats.map(({ parentSpanId }) => parentSpanId)).toEqual([turn.spanId, turn.spanId]);
  expect(tools.map(({ parentSpanId }) => parentSpanId)).toEqual(
    callIds.map(() => chats[0]?.spanId),
  );
}

async function connectTo(url: string, answer: () => unknown = () => ({ decision: "accept" })) {
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const onRequest = () => {
    onAsked();
    return answer();
  };
  const client = new ChannelClient(await connect(url), onRequest, false);
  await client.call("initialize", { clientInfo: { name: "test", version: "1" } });
  return Object.assign(client, { asked });
}

async function startThread(client: ChannelClient, cwd: string, approvalPolicy = "never") {
  const { thread } = (await client.call("thread/start", { cwd, approvalPolicy })) as {
    thread: { id: string };
  };
  return thread.id;
}

async function runTurn(client: ChannelClient, params: object): Promise<void> {
  const input = [{ type: "text", text: "go" }];
  const ended = client.until("turn/completed");
  await client.call("turn/start", { ...params, input });
  await ended;
}

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 20));
}
