export { type MetricName, metrics } from "./metrics.js";
export type { ObservedSession, SessionObserver, Tracing } from "./observer.js";
export type { SessionObservers, StartedTelemetry } from "./session-observers.js";
export {
  type Attributes,
  type AttributeValue,
  noTelemetry,
  type Span,
  type SpanOptions,
  type Telemetry,
} from "./telemetry.js";
export { fromEnvironment, fromHeaders, toEnvironment, toHeaders } from "./trace-context.js";
