import { describe, expect, test } from "vitest";
import { Codex } from "../../src/index.js";
import type { Script } from "../../src/model/scripted/index.js";
import { serveAppServer } from "../../src/server/app-server.js";
import { serveMcp } from "../../src/server/mcp/serve.js";
import { linkedChannels } from "../../src/transport/index.js";
import { initialize, startAppServer } from "../support/app-server.js";
import { type Collector, startCollector } from "../support/collector.js";
import { makePlace } from "../support/exec.js";
import { calls, says } from "../support/model.js";
import { startTestServer } from "../support/server.js";

const parent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

const script: Script = [
  ["c1", "c2", "c3"].flatMap((id) =>
    calls("update_plan", { plan: [{ step: id, status: "pending" }] }, id),
  ),
  says("Done."),
];

function toCollector({ url }: Collector): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
}

/** Checks that the collector has one trace of a turn with three tools, below the parent. */
function expectTurn(collector: Collector): void {
  const spans = collector.spans();
  const turn = collector.span("invoke_agent");
  const chats = spans.filter(({ name }) => name.startsWith("chat "));
  const tools = spans.filter(({ name }) => name === "execute_tool update_plan");
  expect(spans.every(({ traceId }) => traceId === parent.traceId)).toBe(true);
  expect(turn.parentSpanId).toBe(parent.spanId);
  expect(chats.map((chat) => chat.parentSpanId)).toEqual([turn.spanId, turn.spanId]);
  expect(tools.map((tool) => tool.parentSpanId)).toEqual(Array(3).fill(chats[0]?.spanId));
  expect(spans.length).toBe(6);
}

describe("a turn is one trace below its caller", () => {
  test("in the app-server, by `_meta` of the request or `trace` beside its params", async () => {
    for (const caller of [{ _meta: { traceparent } }, { trace: { traceparent } }]) {
      await using collector = await startCollector();
      {
        await using app = await startAppServer({ model: script, env: toCollector(collector) });
        const client = app.connect();
        await initialize(client);
        const { thread } = (await client.call("thread/start", {})) as { thread: { id: string } };
        const [own, theirs] = linkedChannels();
        void serveAppServer(theirs, app.server);
        const clientInfo = { name: "raw", version: "1" };
        own.send({ id: 1, method: "initialize", params: { clientInfo } });
        const input = [{ type: "text", text: "go" }];
        const { trace, ...meta } = caller as { trace?: unknown };
        const params = { threadId: thread.id, input, ...meta };
        own.send({
          id: 2,
          method: "turn/start",
          params,
          ...(trace === undefined ? {} : { trace }),
        });
        await client.until("turn/completed");
        await own.close();
      }
      expectTurn(collector);
    }
  });

  test("in the MCP server", async () => {
    await using collector = await startCollector();
    {
      await using mcp = await startTestServer({
        model: script,
        env: toCollector(collector),
        serve: serveMcp,
        writesVersion: true,
      });
      const client = mcp.connect();
      const clientInfo = { name: "test", version: "1" };
      await client.call("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo,
      });
      await client.call("tools/call", {
        name: "codex",
        arguments: { prompt: "go" },
        _meta: { traceparent },
      });
    }
    expectTurn(collector);
  });

  test("in the library, by the option of the turn", async () => {
    await using collector = await startCollector();
    await using place = await makePlace(script);
    {
      const env = { ...place.env, ...toCollector(collector) };
      await using codex = new Codex({ env, workingDirectory: place.workspace });
      await codex.startThread().run("go", { trace: { traceparent } });
    }
    expectTurn(collector);
  });

  test("in exec, by the environment; `exec` exports everything before it ends", async () => {
    await using collector = await startCollector();
    await using place = await makePlace(script, {
      config: `otel.trace_exporter.otlp-http = { endpoint = "${collector.url}/own/traces", protocol = "json" }\n`,
    });

    const { code, stderr } = await place.run("quire", ["exec", "go"], {
      env: { TRACEPARENT: traceparent },
    });

    expect([code, stderr.includes("otel")]).toEqual([0, false]);
    expectTurn(collector);
    expect(collector.requests.map(({ path }) => path)).toEqual(["/own/traces"]);
    expect(place.model.requests[0]?.headers.traceparent).toMatch(new RegExp(parent.traceId));
  });
});

test("a collector that never answers does not hold exec", async () => {
  await using silent = await startCollector(() => {});
  await using place = await makePlace([says("Hi.")]);
  const startedAt = performance.now();

  const { code, stdout } = await place.run("quire", ["exec", "go"], { env: toCollector(silent) });

  expect([code, stdout]).toEqual([0, "Hi.\n"]);
  expect(silent.requests.length).toBe(3);
  expect(performance.now() - startedAt).toBeLessThan(6000);
});

test("a mistake in [otel] is an error, and a service of the vendor a warning", async () => {
  await using place = await makePlace([says("Hi.")], { config: 'otel.exporter = "statsig"\n' });

  const warned = await place.run("quire", ["exec", "go"]);
  const failed = await place.run("quire", ["exec", "-c", "otel.exporter.otlp-grpc={}", "go"]);

  expect([warned.code, warned.stderr]).toEqual([
    0,
    expect.stringContaining('otel.exporter = "statsig" is a service of the vendor'),
  ]);
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining("otel.exporter.otlp-grpc.endpoint is missing"),
  ]);
});

test("a listener serves the metrics of its process and, if they are enabled, of its turns", async () => {
  await using place = await makePlace(script);
  const env = { OTEL_METRICS_EXPORTER: "prometheus" };
  const server = place.start("quire", ["app-server", "--listen", "ws://127.0.0.1:0"], { env });
  await server.until(/listening on \S+/);
  const [, url = ""] = /listening on (\S+)/.exec(server.stderr()) ?? [];
  const read = async () => (await fetch(`${url.replace("ws:", "http:")}/metrics`)).text();

  const before = await read();
  await using codex = new Codex({ url, workingDirectory: place.workspace });
  await codex.startThread().run("go");
  const after = await read();

  expect(before).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(before).toContain("\nquire_threads 0\n");
  expect(before).toContain("OTEL_METRICS_EXPORTER=prometheus");
  expect(after).toContain("\nquire_threads 1\n");
  expect(after).toContain('quire_turn_count_total{quire_turn_status="completed"} 1');
  expect(after).toMatch(/^gen_ai_client_token_usage_count\{.*gen_ai_token_type="input".*\} 2$/m);
});
