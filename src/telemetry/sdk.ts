import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { parseTraceparent } from "../protocol/read/trace-context.js";
import type { TraceContext } from "../protocol/types.js";
import type { Ending } from "./exporter.js";
import { Instruments } from "./instruments.js";
import { startLogs, startTraces } from "./providers.js";
import type { TelemetrySettings } from "./settings.js";
import type { Attributes, Span, SpanOptions, Telemetry } from "./telemetry.js";

/** A part of the SDK that exports what it has when it is shut down. */
export interface Provider {
  shutdown(): Promise<void>;
}

/** Starts telemetry with these settings. */
export function startTelemetry(settings: TelemetrySettings): Telemetry {
  return new SdkTelemetry(settings);
}

/** Longest time that the end of the program waits for a collector. */
const closeMs = 1000;

class SdkTelemetry implements Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #scope = new AsyncLocalStorage<TraceContext>();
  readonly #tracer: Tracer | undefined;
  readonly #logger: Logger | undefined;
  readonly #instruments: Instruments;
  readonly #providers: readonly Provider[];
  readonly #controller = new AbortController();
  readonly #ending: Ending = { hasStarted: false, signal: this.#controller.signal };
  #closed: Promise<void> | undefined;

  constructor(settings: TelemetrySettings) {
    this.#settings = settings;
    const resource = resourceFromAttributes(settings.resource);
    const traces = startTraces(settings, resource, this.#ending);
    const logs = startLogs(settings, resource, this.#ending);
    this.#tracer = traces?.getTracer(scopeName);
    this.#logger = logs?.getLogger(scopeName);
    this.#instruments = new Instruments(settings, resource, this.#ending);
    this.#providers = [traces, logs, this.#instruments].filter((one) => one !== undefined);
  }

  startSpan(name: string, options: SpanOptions = {}): Span {
    const { kind = "internal", attributes = {}, parent = this.current() } = options;
    if (this.#tracer === undefined) return this.#inertSpan(parent);
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: { ...this.#settings.spanAttributes, ...defined(attributes) },
      },
      toSdkContext(parent),
    );
    const context = toTraceContext(span.spanContext(), this.#settings.tracestate);
    return {
      context,
      set: (more) => void span.setAttributes(defined(more)),
      run: (work) => this.#scope.run(context, work),
      end: (error) => endSpan(span, error),
    };
  }

  record(...[metric, value, attributes = {}]: Parameters<Telemetry["record"]>): void {
    this.#instruments.record(metric, value, defined(attributes));
  }

  observe(...[metric, read, attributes = {}]: Parameters<Telemetry["observe"]>): () => void {
    return this.#instruments.observe(metric, read, defined(attributes));
  }

  log(...[name, attributes = {}, level = "info"]: Parameters<Telemetry["log"]>): void {
    this.#logger?.emit({
      eventName: name,
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      attributes: { "event.name": name, ...defined(attributes) },
      context: toSdkContext(this.current()),
    });
  }

  current(): TraceContext | undefined {
    return this.#scope.getStore();
  }

  metricsText(): Promise<string> {
    return this.#instruments.text();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#ending.hasStarted = true;
    const ends = this.#providers.map((provider) => provider.shutdown());
    const timer = setTimeout(() => this.#controller.abort(), closeMs);
    await Promise.allSettled(ends);
    clearTimeout(timer);
  }

  #inertSpan(context: TraceContext | undefined): Span {
    const run: Span["run"] = (work) =>
      context === undefined ? work() : this.#scope.run(context, work);
    return { context, set() {}, run, end() {} };
  }
}

/** Name of the instrumentation. */
export const scopeName = "quire";

const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const severities = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
} as const;

function endSpan(span: SdkSpan, error: string | undefined): void {
  if (error !== undefined) {
    span.setAttribute("error.type", error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function toSdkContext(context: TraceContext | undefined): Context {
  const ids = context === undefined ? undefined : parseTraceparent(context.traceparent);
  if (ids === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = ids;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(context?.tracestate === undefined
      ? {}
      : { traceState: createTraceState(context.tracestate) }),
  });
}

/** Returns the context to pass on; entries of the settings come first and replace others. */
function toTraceContext(
  { traceId, spanId, traceFlags, traceState }: SpanContext,
  own: string,
): TraceContext {
  const flags = (traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01";
  const vendors = new Set(own.split(",").map(vendorOf));
  const others = (traceState?.serialize() ?? "")
    .split(",")
    .filter((one) => !vendors.has(vendorOf(one)));
  const tracestate = [own, ...others].filter((entry) => entry !== "").join(",");
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate === "" ? {} : { tracestate }),
  };
}

function vendorOf(entry: string): string {
  return entry.split("=", 1)[0]?.trim() ?? "";
}

type Defined = Record<string, string | number | boolean | string[]>;

/** Leaves out undefined attributes. */
function defined(attributes: Attributes): Defined {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined;
}
