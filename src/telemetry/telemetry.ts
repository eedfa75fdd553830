import type { TraceContext } from "../protocol/types.js";
import type { MetricName } from "./metrics.js";

/** Value of an attribute of a span, a metric or a log record. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Attributes by name; undefined ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Options of a span. */
export interface SpanOptions {
  /** Role of the process; `internal` is the default. */
  kind?: "internal" | "client" | "server" | "producer" | "consumer";
  attributes?: Attributes;
  /** Span of the caller; the default is the one in which the call runs. */
  parent?: TraceContext | undefined;
}

/** A running span. */
export interface Span {
  /** Context to pass to other processes; undefined if there is no trace. */
  readonly context: TraceContext | undefined;
  set(attributes: Attributes): void;
  /** Runs work inside the span: spans that it starts are children. */
  run<Result>(work: () => Result): Result;
  /** Ends the span; `error` marks it as failed with this type of error. */
  end(error?: string): void;
}

/**
 * Spans, metrics and log records of one process.
 *
 * No method throws, waits or fails the work that is measured: what cannot be exported is dropped.
 */
export interface Telemetry {
  startSpan(name: string, options?: SpanOptions): Span;
  /** Adds a measurement: an amount to a counter, a value to a histogram. */
  record(metric: MetricName, value: number, attributes?: Attributes): void;
  /** Sets the function that is called for the value of a gauge; returns a function that removes it. */
  observe(metric: MetricName, read: () => number, attributes?: Attributes): () => void;
  /** Writes a log record with the ids of the span in which the call runs. */
  log(name: string, attributes?: Attributes, level?: "info" | "warn" | "error"): void;
  /** Trace context of the span in which the call runs. */
  current(): TraceContext | undefined;
  /** Metrics in the text format of Prometheus. */
  metricsText(): Promise<string>;
  /** Exports what is pending within a short time; what takes longer is dropped. */
  close(): Promise<void>;
}

/** Telemetry that is off: it measures nothing and passes on the context of the caller. */
export const noTelemetry: Telemetry = {
  startSpan: (_name, { parent } = {}) => ({
    context: parent,
    set() {},
    run: (work) => work(),
    end() {},
  }),
  record() {},
  observe: () => () => {},
  log() {},
  current: () => undefined,
  metricsText: async () => "",
  close: async () => {},
};
