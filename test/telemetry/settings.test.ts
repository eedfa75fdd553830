import { describe, expect, test } from "vitest";
import { resolveSettings } from "../../src/telemetry/settings.js";

function resolve(otel: object, env: Record<string, string> = {}) {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const settings = resolveSettings({ otel, env, version: "1.2.3", warn });
  return { settings, warnings };
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("variables", () => {
  test.each([
    [{}, undefined],
    [{ ...endpoint, OTEL_SDK_DISABLED: "true" }, undefined],
    [{ OTEL_TRACES_EXPORTER: "none" }, undefined],
    [
      endpoint,
      {
        traces: ["http", "protobuf", "http://collector:4318/v1/traces"],
        metrics: ["http", "protobuf", "http://collector:4318/v1/metrics"],
        logs: ["http", "protobuf", "http://collector:4318/v1/logs"],
      },
    ],
    [
      { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
      { traces: ["http", "json", "http://localhost:4318/v1/traces"] },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://a/",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/own/path",
        OTEL_METRICS_EXPORTER: "none",
        OTEL_LOGS_EXPORTER: "none",
      },
      { traces: ["http", "protobuf", "http://b/own/path"] },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_METRICS_EXPORTER: "prometheus",
        OTEL_LOGS_EXPORTER: "none",
      },
      { traces: ["grpc", "protobuf", "collector:4317"] },
    ],
  ])("%j", (env: Record<string, string>, expected) => {
    const { settings, warnings } = resolve({}, env);

    const found = (["traces", "metrics", "logs"] as const).flatMap((signal) => {
      const exporter = settings?.[signal];
      if (exporter === undefined) return [];
      return [[signal, [exporter.transport, exporter.encoding, exporter.url]]];
    });
    expect(settings && Object.fromEntries(found)).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  test("set headers, certificates, the timeout and the resource", () => {
    const { settings } = resolve(
      { environment: "prod" },
      {
        ...endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, a = b ,broken",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "own=1",
        OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem",
        OTEL_EXPORTER_OTLP_TIMEOUT: "250",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_SERVICE_NAME: "mine",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=other,team=a%2Cb",
      },
    );

    expect(settings?.logs).toMatchObject({
      headers: { authorization: "Bearer x", a: "b" },
      tls: { ca: "/ca.pem" },
      timeoutMs: 250,
      isCompressed: true,
    });
    expect(settings?.traces?.headers).toEqual({ own: "1" });
    expect(settings?.resource).toEqual({
      "service.name": "mine",
      "service.version": "1.2.3",
      team: "a,b",
      env: "prod",
      "deployment.environment.name": "prod",
    });
  });

  test.each([
    ["always_on", undefined, { isParentBased: false, ratio: 1 }],
    ["always_off", undefined, { isParentBased: false, ratio: 0 }],
    ["parentbased_traceidratio", "0.25", { isParentBased: true, ratio: 0.25 }],
    ["", undefined, { isParentBased: true, ratio: 1 }],
  ])("OTEL_TRACES_SAMPLER=%s %s", (name, argument, expected) => {
    const env = { ...endpoint, OTEL_TRACES_SAMPLER: name };
    const { settings } = resolve(
      {},
      { ...env, ...(argument && { OTEL_TRACES_SAMPLER_ARG: argument }) },
    );

    expect(settings?.sampler).toEqual(expected);
  });

  test.each([
    [{ ...endpoint, OTEL_TRACES_SAMPLER: "x" }, /^OTEL_TRACES_SAMPLER must be .*: x; all traces/],
    [
      { ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
      /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: 2/,
    ],
    [{ ...endpoint, OTEL_PROPAGATORS: "b3" }, /^OTEL_PROPAGATORS .* b3 is not supported/],
    [{ OTEL_TRACES_EXPORTER: "zipkin" }, /^OTEL_TRACES_EXPORTER .*: zipkin; no traces are sent/],
    [
      { OTEL_LOGS_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "xml" },
      /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of .*: xml; no logs are sent/,
    ],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "ftp://x" },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL: ftp:\/\/x; no traces are sent/,
    ],
  ])("with a mistake are reported: %j", (env: Record<string, string>, expected) => {
    expect(resolve({}, env).warnings).toEqual([expect.stringMatching(expected)]);
  });
});

describe("[otel]", () => {
  const http = { endpoint: "https://collector/path", protocol: "json" };

  test("counts more than variables, for each signal", () => {
    const { settings } = resolve(
      {
        exporter: "none",
        trace_exporter: { "otlp-http": { ...http, headers: { a: "b" } } },
        metrics_exporter: {
          "otlp-grpc": { endpoint: "http://collector:4317", tls: { "ca-certificate": "/ca.pem" } },
        },
      },
      endpoint,
    );

    expect(settings?.logs).toBeUndefined();
    expect(settings?.traces).toMatchObject({
      transport: "http",
      encoding: "json",
      url: "https://collector/path",
      headers: { a: "b" },
    });
    expect(settings?.metrics).toMatchObject({
      transport: "grpc",
      encoding: "protobuf",
      tls: { ca: "/ca.pem" },
    });
  });

  test("with a service of the vendor exports nothing and says so", () => {
    const { settings, warnings } = resolve({ metrics_exporter: "statsig" });

    expect(settings).toBeUndefined();
    expect(warnings).toEqual([
      'otel.metrics_exporter = "statsig" is a service of the vendor: no metrics are sent; set it to "none", or to a collector with otlp-http or otlp-grpc',
    ]);
  });

  test.each([
    [{ exporter: {} }, "otel.exporter must have either otlp-http or otlp-grpc"],
    [
      { trace_exporter: { "otlp-http": { endpoint: "http://x" } } },
      'otel.trace_exporter.otlp-http.protocol is missing: "json" or "binary"',
    ],
    [
      { exporter: { "otlp-grpc": {} } },
      "otel.exporter.otlp-grpc.endpoint is missing: the URL of the collector",
    ],
    [
      { exporter: { "otlp-http": { ...http, endpoint: "nowhere" } } },
      "otel.exporter.otlp-http.endpoint must be an http or https URL: nowhere",
    ],
  ])("with a mistake is refused: %j", (otel, message) => {
    expect(() => resolve(otel)).toThrow(message);
  });
});
