export { type MetricName, metrics } from "./metrics.js";
export {
  type Attributes,
  type AttributeValue,
  noTelemetry,
  type Span,
  type SpanOptions,
  type Telemetry,
} from "./telemetry.js";
export { fromEnvironment, fromHeaders, toEnvironment, toHeaders } from "./trace-context.js";
