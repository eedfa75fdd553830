import { toTraceContext } from "../protocol/read/trace-context.js";
import type { TraceContext } from "../protocol/types.js";

/** Returns the headers that pass a trace context to another process; empty without one. */
export function toHeaders(context: TraceContext | undefined): Record<string, string> {
  return { ...context };
}

/**
 * Reads the trace context from headers, such as those of a broker message.
 *
 * `get` returns the value of a header. Without a valid `traceparent` there is no context.
 */
export function fromHeaders(get: (name: string) => unknown): TraceContext | undefined {
  return toTraceContext({ traceparent: get("traceparent"), tracestate: get("tracestate") });
}

/** Reads the trace context that the parent process has passed in the environment. */
export function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): TraceContext | undefined {
  return toTraceContext({ traceparent: env.TRACEPARENT, tracestate: env.TRACESTATE });
}

/** Returns the environment variables that pass a trace context to a command. */
export function toEnvironment(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const { traceparent: TRACEPARENT, tracestate: TRACESTATE } = context;
  return { TRACEPARENT, ...(TRACESTATE === undefined ? {} : { TRACESTATE }) };
}
