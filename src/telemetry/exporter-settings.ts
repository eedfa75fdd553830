import type { OtelToml } from "../config/index.js";
import { CodexError } from "../protocol/error.js";
import { parsePairs, toNumber, type Variables } from "./variables.js";

/** A kind of data that is exported. */
export type Signal = (typeof signals)[number];

/** Every kind of data. */
export const signals = ["traces", "metrics", "logs"] as const;

/** A collector, and the way to send data to it. */
export interface ExporterSettings {
  transport: "http" | "grpc";
  encoding: "json" | "protobuf";
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Files with certificates. */
  tls: { ca?: string | undefined; certificate?: string | undefined; key?: string | undefined };
  timeoutMs: number;
  isCompressed: boolean;
}

type Warn = (message: string) => void;

/** Returns the exporter that `[otel]` sets for a signal; undefined if it sets none. */
export function configuredExporter(
  signal: Signal,
  otel: OtelToml,
  warn: Warn,
): ExporterSettings | "none" | undefined {
  const key = keys[signal];
  const exporter = otel[key];
  if (exporter === undefined) return undefined;
  if (exporter === "statsig") {
    const remedy = 'set it to "none", or to a collector with otlp-http or otlp-grpc';
    warn(`otel.${key} = "statsig" is a service of the vendor: no ${signal} are sent; ${remedy}`);
    return "none";
  }
  if (typeof exporter === "string") return "none";
  const { "otlp-http": http, "otlp-grpc": grpc } = exporter;
  const name = `otel.${key}.${http === undefined ? "otlp-grpc" : "otlp-http"}`;
  const collector = http ?? grpc;
  if (collector === undefined || (http !== undefined && grpc !== undefined)) {
    throw new CodexError("config", `otel.${key} must have either otlp-http or otlp-grpc`);
  }
  if (http !== undefined && http.protocol === undefined) {
    throw new CodexError("config", `${name}.protocol is missing: "json" or "binary"`);
  }
  if (collector.endpoint === undefined) {
    throw new CodexError("config", `${name}.endpoint is missing: the URL of the collector`);
  }
  const problem = urlProblem(collector.endpoint, http === undefined);
  if (problem !== undefined) throw new CodexError("config", `${name}.endpoint ${problem}`);
  const { tls } = collector;
  return {
    transport: http === undefined ? "grpc" : "http",
    encoding: http?.protocol === "json" ? "json" : "protobuf",
    url: collector.endpoint,
    headers: collector.headers ?? {},
    tls: {
      ca: tls?.["ca-certificate"],
      certificate: tls?.["client-certificate"],
      key: tls?.["client-private-key"],
    },
    timeoutMs: defaultTimeoutMs,
    isCompressed: false,
  };
}

const keys = {
  traces: "trace_exporter",
  metrics: "metrics_exporter",
  logs: "exporter",
} as const satisfies Record<Signal, keyof OtelToml>;

/**
 * Returns the exporter that the environment sets for a signal; undefined if it sets none.
 *
 * An exporter is set by an endpoint, or by `OTEL_{SIGNAL}_EXPORTER=otlp`.
 */
export function environmentExporter(
  signal: Signal,
  env: Variables,
  warn: Warn,
): ExporterSettings | undefined {
  const name = signal.toUpperCase();
  const kind = env[`OTEL_${name}_EXPORTER`];
  /** The variable of the signal counts more than the common one. */
  const read = (suffix: string) =>
    env[`OTEL_EXPORTER_OTLP_${name}_${suffix}`] || env[`OTEL_EXPORTER_OTLP_${suffix}`] || undefined;
  if (kind === "none" || (kind === undefined && read("ENDPOINT") === undefined)) return undefined;
  if (kind !== undefined && kind !== "otlp") {
    warn(`OTEL_${name}_EXPORTER must be otlp or none: ${kind}; no ${signal} are sent`);
    return undefined;
  }
  const protocol = read("PROTOCOL") ?? "http/protobuf";
  if (!protocols.includes(protocol)) {
    const expected = protocols.join(", ");
    warn(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be one of ${expected}: ${protocol}; no ${signal} are sent`,
    );
    return undefined;
  }
  const transport = protocol === "grpc" ? "grpc" : "http";
  const url = environmentUrl(signal, env, transport);
  const problem = urlProblem(url, transport === "grpc");
  if (problem !== undefined) {
    warn(`OTEL_EXPORTER_OTLP_ENDPOINT ${problem}; no ${signal} are sent`);
    return undefined;
  }
  return {
    transport,
    encoding: protocol === "http/json" ? "json" : "protobuf",
    url,
    headers: parsePairs(read("HEADERS")),
    tls: {
      ca: read("CERTIFICATE"),
      certificate: read("CLIENT_CERTIFICATE"),
      key: read("CLIENT_KEY"),
    },
    timeoutMs: toNumber(read("TIMEOUT")) ?? defaultTimeoutMs,
    isCompressed: read("COMPRESSION") === "gzip",
  };
}

const protocols: readonly string[] = ["http/protobuf", "http/json", "grpc"];

const defaultTimeoutMs = 10_000;

/** The endpoint of a signal is used as it is; the common one gets the path of the signal. */
function environmentUrl(signal: Signal, env: Variables, transport: "http" | "grpc"): string {
  const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`];
  if (own) return own;
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (transport === "grpc") return common || "http://localhost:4317";
  return `${(common || "http://localhost:4318").replace(/\/+$/, "")}/v1/${signal}`;
}

function urlProblem(text: string, isGrpc: boolean): string | undefined {
  if (isGrpc && /^[\w.-]+:\d+$/.test(text)) return undefined;
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isUrl ? undefined : `must be an http or https URL: ${text}`;
}
