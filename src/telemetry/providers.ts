import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { createExporter, type Ending } from "./exporter.js";
import type { SamplerSettings, TelemetrySettings } from "./settings.js";

/** Starts the export of traces, if the settings have a collector for them. */
export function startTraces(
  { traces, sampler }: TelemetrySettings,
  resource: Resource,
  ending: Ending,
): BasicTracerProvider | undefined {
  if (traces === undefined) return undefined;
  const serializer = traces.encoding === "json" ? JsonTraceSerializer : ProtobufTraceSerializer;
  const exporter = createExporter("traces", traces, serializer, ending);
  return new BasicTracerProvider({
    resource,
    sampler: toSampler(sampler),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
}

/** Starts the export of logs, if the settings have a collector for them. */
export function startLogs(
  { logs }: TelemetrySettings,
  resource: Resource,
  ending: Ending,
): LoggerProvider | undefined {
  if (logs === undefined) return undefined;
  const serializer = logs.encoding === "json" ? JsonLogsSerializer : ProtobufLogsSerializer;
  const exporter = createExporter("logs", logs, serializer, ending);
  return new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter })],
  });
}

function toSampler({ isParentBased, ratio }: SamplerSettings): Sampler {
  const root = rootSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(ratio: number): Sampler {
  if (ratio === 1) return new AlwaysOnSampler();
  return ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}
