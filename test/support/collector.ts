import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector receives it, with its attributes as a plain object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  /** 2 if it failed. */
  status: number;
}

/** A log record as a collector receives it. */
export interface ReceivedLog {
  name: string;
  traceId: string;
  spanId: string;
  attributes: Record<string, unknown>;
}

/** One request to the collector. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A collector of OTLP over HTTP, on loopback. */
export interface Collector extends AsyncDisposable {
  url: string;
  requests: ReceivedRequest[];
  /** Spans of all JSON requests; checks their shape. */
  spans(): ReceivedSpan[];
  span(name: string): ReceivedSpan;
  logs(): ReceivedLog[];
  /** Data points of a metric, with their attributes as plain objects. */
  points(metric: string): { attributes: Record<string, unknown>; [field: string]: unknown }[];
  /** Resource attributes of the first request. */
  resource(): Record<string, unknown>;
  /** All that was received, as text. */
  text(): string;
}

/** Starts a collector; `answer` replaces the reply to a request. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => void response.end("{}"),
): Promise<Collector> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      requests.push({ path, headers, body: Buffer.concat(chunks) });
      answer(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bodies = (signal: string): Json[] =>
    requests
      .filter(({ path }) => path.endsWith(signal))
      .map(({ body }) => JSON.parse(body.toString()) as Json);
  const spans = () =>
    bodies("traces").flatMap((body) =>
      body.resourceSpans.flatMap((resource: Json) =>
        resource.scopeSpans.flatMap((scope: Json) => scope.spans.map(toSpan)),
      ),
    ) as ReceivedSpan[];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    span(name) {
      const found = spans().filter((span) => span.name === name);
      if (found.length === 1 && found[0] !== undefined) return found[0];
      throw new Error(`${found.length} spans ${name} in ${spans().map((span) => span.name)}`);
    },
    logs: () =>
      bodies("logs").flatMap((body) =>
        body.resourceLogs.flatMap((resource: Json) =>
          resource.scopeLogs.flatMap((scope: Json) => scope.logRecords.map(toLog)),
        ),
      ),
    points: (metric) =>
      bodies("metrics")
        .flatMap((body) => body.resourceMetrics)
        .flatMap((resource: Json) => resource.scopeMetrics)
        .flatMap((scope: Json) => scope.metrics)
        .filter(({ name }: Json) => name === metric)
        .flatMap(({ histogram, sum, gauge }: Json) => (histogram ?? sum ?? gauge).dataPoints)
        .map((point: Json) => ({ ...point, attributes: toAttributes(point.attributes) })),
    resource: () =>
      toAttributes((Object.values(bodies("")[0] ?? {})[0] as Json)?.[0]?.resource.attributes ?? []),
    text: () => requests.map(({ body }) => body.toString()).join("\n"),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
type Json = any;

function toSpan(span: Json): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, status } = span;
  const isValid =
    /^[0-9a-f]{32}$/.test(traceId) &&
    /^[0-9a-f]{16}$/.test(spanId) &&
    /^\d{19}$/.test(span.startTimeUnixNano) &&
    BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano);
  if (!isValid) throw new Error(`not a span: ${JSON.stringify(span)}`);
  const attributes = toAttributes(span.attributes);
  return { traceId, spanId, parentSpanId, name, kind, attributes, status: status?.code ?? 0 };
}

function toLog({ eventName, traceId, spanId, attributes }: Json): ReceivedLog {
  return { name: eventName, traceId, spanId, attributes: toAttributes(attributes) };
}

function toAttributes(list: Json[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, toValue(value)]));
}

function toValue(value: Json): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(toValue);
  const [type, inner] = Object.entries(value)[0] ?? [];
  return type === "intValue" ? Number(inner) : inner;
}
