import type { OtelToml } from "../config/index.js";
import type { TraceContext } from "../protocol/types.js";
import {
  configuredExporter,
  type ExporterSettings,
  environmentExporter,
  type Signal,
  signals,
} from "./exporter-settings.js";
import { fromEnvironment } from "./trace-context.js";
import { isTrue, parsePairs, toNumber, type Variables } from "./variables.js";

/** Settings of telemetry, of `[otel]` and of the environment together. */
export interface TelemetrySettings extends Partial<Record<Signal, ExporterSettings>> {
  /** True if metrics are served at `/metrics`. */
  isScraped: boolean;
  /** Attributes of the process. */
  resource: Readonly<Record<string, string>>;
  sampler: SamplerSettings;
  content: ContentSettings;
  /** Attributes of every span. */
  spanAttributes: Readonly<Record<string, string>>;
  /** Entries of `tracestate` to pass on. */
  tracestate: string;
  /** False if the trace context is not passed to other programs. */
  isPropagated: boolean;
  /** Span of the program that started this one. */
  parent: TraceContext | undefined;
  metricIntervalMs: number;
  /** True if each export has the change since the last one, instead of the sum. */
  isDelta: boolean;
}

/** Selection of the traces to record. */
export interface SamplerSettings {
  /** True if the decision of the caller counts. */
  isParentBased: boolean;
  /** Part of the traces that start here, from 0 to 1. */
  ratio: number;
}

/** Content to include; none of it by default. */
export interface ContentSettings {
  prompts: boolean;
  responses: boolean;
  assessments: boolean;
  /** Most bytes of arguments and outputs of tools; 0: all; undefined: not included. */
  toolBytes: number | undefined;
}

/** Sources of the settings. */
export interface SettingsSources {
  otel: OtelToml | undefined;
  env: Variables;
  /** Version of this program. */
  version: string;
  /** Called with mistakes in the environment, which disable what they are about. */
  warn(message: string): void;
}

/** Resolves the settings; undefined if nothing is exported. Throws if `[otel]` has a mistake. */
export function resolveSettings(sources: SettingsSources): TelemetrySettings | undefined {
  const { otel = {}, env, version, warn } = sources;
  if (isTrue(env.OTEL_SDK_DISABLED)) return undefined;
  const isScraped = isPrometheus(otel, env);
  const exporters = Object.fromEntries(
    signals.flatMap((signal) => {
      if (signal === "metrics" && isScraped) return [];
      const exporter =
        configuredExporter(signal, otel, warn) ?? environmentExporter(signal, env, warn);
      return exporter === undefined || exporter === "none" ? [] : [[signal, exporter]];
    }),
  );
  if (Object.keys(exporters).length === 0 && !isScraped) return undefined;
  return {
    ...exporters,
    isScraped,
    resource: toResource(otel, env, version),
    sampler: toSampler(env, warn),
    content: toContent(otel, env),
    spanAttributes: otel.span_attributes ?? {},
    tracestate: toTracestate(otel.tracestate ?? {}),
    isPropagated: hasPropagator(env, warn),
    parent: fromEnvironment(env),
    metricIntervalMs: toNumber(env.OTEL_METRIC_EXPORT_INTERVAL) ?? 60_000,
    isDelta: env.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE?.toLowerCase() === "delta",
  };
}

function isPrometheus({ metrics_exporter: exporter }: OtelToml, env: Variables): boolean {
  return exporter === undefined
    ? env.OTEL_METRICS_EXPORTER === "prometheus"
    : exporter === "prometheus";
}

/** Variables override each other as in OpenTelemetry: the name of the service counts most. */
function toResource(otel: OtelToml, env: Variables, version: string): Record<string, string> {
  const { OTEL_SERVICE_NAME: name } = env;
  const environment = otel.environment;
  return {
    "service.name": "quire",
    "service.version": version,
    ...parsePairs(env.OTEL_RESOURCE_ATTRIBUTES),
    ...(environment === undefined
      ? {}
      : { env: environment, "deployment.environment.name": environment }),
    ...(name ? { "service.name": name } : {}),
  };
}

function toContent(otel: OtelToml, env: Variables): ContentSettings {
  const isAll = isTrue(env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT);
  return {
    prompts: otel.log_user_prompt ?? isAll,
    responses: otel.log_agent_responses ?? isAll,
    assessments: otel.log_guardian_assessments ?? isAll,
    toolBytes: otel.tool_result?.max_bytes ?? (isAll ? 0 : undefined),
  };
}

/** Writes entries as 0.166 does: `vendor=key:value;key:value`. */
function toTracestate(vendors: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  return Object.entries(vendors)
    .map(([vendor, entries]) => {
      const values = Object.entries(entries).map(([key, value]) => `${key}:${value}`);
      return `${vendor}=${values.join(";")}`;
    })
    .join(",");
}

function toSampler(env: Variables, warn: (message: string) => void): SamplerSettings {
  const name = env.OTEL_TRACES_SAMPLER || "parentbased_always_on";
  const kind = name.replace(/^parentbased_/, "");
  const isParentBased = kind !== name;
  if (kind === "always_on") return { isParentBased, ratio: 1 };
  if (kind === "always_off") return { isParentBased, ratio: 0 };
  if (kind === "traceidratio") {
    const { OTEL_TRACES_SAMPLER_ARG: given } = env;
    const ratio = given === undefined ? 1 : Number(given);
    if (ratio >= 0 && ratio <= 1) return { isParentBased, ratio };
    warn(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: ${given}; all traces are recorded`);
    return { isParentBased, ratio: 1 };
  }
  const known = "always_on, always_off, traceidratio, or one of them after parentbased_";
  warn(`OTEL_TRACES_SAMPLER must be ${known}: ${name}; all traces are recorded`);
  return { isParentBased: true, ratio: 1 };
}

function hasPropagator(env: Variables, warn: (message: string) => void): boolean {
  const names = (env.OTEL_PROPAGATORS || "tracecontext").split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !["tracecontext", "baggage", "none"].includes(name));
  if (unknown.length > 0) {
    warn(`OTEL_PROPAGATORS must be tracecontext or none: ${unknown.join(", ")} is not supported`);
  }
  return names.includes("tracecontext");
}
