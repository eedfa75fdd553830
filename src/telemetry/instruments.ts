import type { Attributes, Meter, ObservableResult } from "@opentelemetry/api";
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { createExporter, type Ending } from "./exporter.js";
import { type MetricName, metrics } from "./metrics.js";
import { metricsText } from "./prometheus.js";
import type { TelemetrySettings } from "./settings.js";

/** A value that is read when metrics are collected. */
interface Observed {
  read(): number;
  attributes: Attributes;
}

/** The metrics of a process. Nothing is measured if they are neither exported nor served. */
export class Instruments {
  readonly #provider: MeterProvider | undefined;
  readonly #reader = new ScrapeReader();
  readonly #records = new Map<MetricName, (value: number, attributes: Attributes) => void>();
  readonly #observed = new Map<MetricName, Set<Observed>>();

  constructor(settings: TelemetrySettings, resource: Resource, ending: Ending) {
    if (settings.metrics === undefined && !settings.isScraped) return;
    const pushed = settings.metrics === undefined ? [] : [pushReader(settings, ending)];
    this.#provider = new MeterProvider({ resource, readers: [this.#reader, ...pushed] });
    const meter = this.#provider.getMeter("quire");
    for (const name of Object.keys(metrics) as MetricName[]) this.#add(meter, name);
  }

  record(name: MetricName, value: number, attributes: Attributes): void {
    this.#records.get(name)?.(value, attributes);
  }

  observe(name: MetricName, read: () => number, attributes: Attributes): () => void {
    const one = { read, attributes };
    this.#observed.get(name)?.add(one);
    return () => this.#observed.get(name)?.delete(one);
  }

  /** The metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    if (this.#provider === undefined) return "";
    const { resourceMetrics } = await this.#reader.collect();
    return metricsText(resourceMetrics);
  }

  async shutdown(): Promise<void> {
    await this.#provider?.shutdown();
  }

  #add(meter: Meter, name: MetricName): void {
    const { kind, unit, text: description, ...histogram } = metrics[name];
    if (kind === "gauge") {
      const observed = new Set<Observed>();
      this.#observed.set(name, observed);
      meter
        .createObservableGauge(name, { unit, description })
        .addCallback((result) => observeAll(result, observed));
      return;
    }
    if (kind === "counter") {
      const counter = meter.createCounter(name, { unit, description });
      this.#records.set(name, (value, attributes) => counter.add(value, attributes));
      return;
    }
    const explicitBucketBoundaries = "bounds" in histogram ? [...histogram.bounds] : [];
    const advice = { explicitBucketBoundaries };
    const created = meter.createHistogram(name, { unit, description, advice });
    this.#records.set(name, (value, attributes) => created.record(value, attributes));
  }
}

/** Values with equal attributes are added: several sources may count the same thing. */
function observeAll(result: ObservableResult, observed: ReadonlySet<Observed>): void {
  const sums = new Map<string, { value: number; attributes: Attributes }>();
  for (const { read, attributes } of observed) {
    const key = JSON.stringify(attributes);
    const value = (sums.get(key)?.value ?? 0) + read();
    sums.set(key, { value, attributes });
  }
  for (const { value, attributes } of sums.values()) result.observe(value, attributes);
}

function pushReader(
  { metrics: exporter, metricIntervalMs, isDelta }: TelemetrySettings,
  ending: Ending,
): MetricReader {
  if (exporter === undefined) throw new TypeError("there is no collector for metrics");
  const serializer =
    exporter.encoding === "json" ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const temporality = isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  return new PeriodicExportingMetricReader({
    exporter: {
      ...createExporter("metrics", exporter, serializer, ending),
      selectAggregationTemporality: () => temporality,
    },
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(exporter.timeoutMs, metricIntervalMs),
  });
}

/** Collects the metrics when they are asked for. */
class ScrapeReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}
