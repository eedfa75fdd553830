import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { startTelemetry } from "../../src/telemetry/sdk.js";
import { resolveSettings } from "../../src/telemetry/settings.js";
import type { Telemetry } from "../../src/telemetry/telemetry.js";
import { startCollector } from "../support/collector.js";

function start(env: Record<string, string>): Telemetry {
  const settings = resolveSettings({ otel: undefined, env, version: "1.2.3", warn: () => {} });
  if (settings === undefined) throw new Error("telemetry is off");
  return startTelemetry(settings);
}

/** Measures something of each kind, and returns the time that closing takes. */
async function measureAndClose(telemetry: Telemetry): Promise<number> {
  const span = telemetry.startSpan("work", { kind: "server" });
  span.run(() => telemetry.log("event", { a: 1 }));
  telemetry.record("quire.fleet.lease.changes", 2, { "quire.lease.change": "lost" });
  span.end();
  const startedAt = performance.now();
  await telemetry.close();
  return performance.now() - startedAt;
}

describe("a collector", () => {
  test.each(["http/json", "http/protobuf"])("receives %s", async (protocol) => {
    await using collector = await startCollector();
    await measureAndClose(
      start({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
        OTEL_SERVICE_NAME: "mine",
      }),
    );

    const type = protocol === "http/json" ? "application/json" : "application/x-protobuf";
    expect(collector.requests.map(({ path }) => path).sort()).toEqual([
      "/v1/logs",
      "/v1/metrics",
      "/v1/traces",
    ]);
    for (const { headers, body } of collector.requests) {
      expect(headers).toMatchObject({ "content-type": type, "x-key": "abc" });
      expect(body.toString("latin1")).toContain("mine");
    }
    if (protocol !== "http/json") return;
    expect(collector.resource()["service.name"]).toBe("mine");
    expect(collector.span("work").kind).toBe(2);
    expect(collector.points("quire.fleet.lease.changes")).toMatchObject([{ asDouble: 2 }]);
  });

  test("receives gRPC", async () => {
    const received: { path: string; key: unknown; bytes: number }[] = [];
    const server = createServer();
    server.on("stream", (stream, headers) => {
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      stream.on("end", () => {
        received.push({ path: String(headers[":path"]), key: headers["x-key"], bytes });
        stream.respond(
          { ":status": 200, "content-type": "application/grpc" },
          { waitForTrailers: true },
        );
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.alloc(5)); // an empty message
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    await measureAndClose(
      start({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
      }),
    );
    server.close();

    expect(received.map(({ path }) => path.split("/")[1]).sort()).toEqual([
      "opentelemetry.proto.collector.logs.v1.LogsService",
      "opentelemetry.proto.collector.metrics.v1.MetricsService",
      "opentelemetry.proto.collector.trace.v1.TraceService",
    ]);
    expect(received.every(({ key, bytes }) => key === "abc" && bytes > 50)).toBe(true);
  });

  test.each([
    ["that refuses", 500, undefined],
    ["that answers with rubbish", 200, "<html>"],
    ["that is overloaded", 503, ""],
  ])("%s delays nothing", async (_, status, body) => {
    await using collector = await startCollector((response) =>
      response.writeHead(status).end(body),
    );

    const ms = await measureAndClose(start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));

    expect(ms).toBeLessThan(900);
  });

  test("that is not there delays nothing", async () => {
    await using gone = await startCollector();
    await gone[Symbol.asyncDispose]();

    for (const protocol of ["http/protobuf", "grpc"]) {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
      expect(await measureAndClose(start(env))).toBeLessThan(900);
    }
  });

  test("that never answers delays the end by a second at most", async () => {
    await using silent = await startCollector(() => {});

    const ms = await measureAndClose(start({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url }));

    expect(silent.requests.length).toBe(3);
    expect(ms).toBeLessThan(1900);
  });
});

test("metrics are written in the text format of Prometheus", async () => {
  const telemetry = start({ OTEL_METRICS_EXPORTER: "prometheus" });
  telemetry.record("quire.fleet.lease.changes", 1, { "quire.lease.change": 'a "b"' });
  telemetry.record("quire.fleet.queue.lag", 0.05);
  const stop = telemetry.observe("quire.fleet.leases", () => 2);
  telemetry.observe("quire.fleet.leases", () => 1);

  const text = await telemetry.metricsText();

  expect(text).toContain(
    "# TYPE quire_fleet_lease_changes_total counter\n" +
      'quire_fleet_lease_changes_total{quire_lease_change="a \\"b\\""} 1\n',
  );
  expect(text).toContain('quire_fleet_queue_lag_seconds_bucket{le="0.04"} 0\n');
  expect(text).toContain('quire_fleet_queue_lag_seconds_bucket{le="+Inf"} 1\n');
  expect(text).toContain("quire_fleet_queue_lag_seconds_sum 0.05\n");
  expect(text).toContain("# TYPE quire_fleet_leases gauge\nquire_fleet_leases 3\n");
  stop();
  expect(await telemetry.metricsText()).toContain("\nquire_fleet_leases 1\n");
  await telemetry.close();
});
