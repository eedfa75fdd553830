import type { TraceContext } from "../sqeq/submission.js";

/** Ids of a span in the format of W3C Trace Context. */
export interface SpanIds {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/**
 * Returns the trace context that an object holds, such as `_meta` of a request.
 *
 * An invalid one is passed over, as W3C Trace Context requires it.
 */
export function toTraceContext(value: unknown): TraceContext | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { traceparent, tracestate } = value as Record<string, unknown>;
  if (typeof traceparent !== "string" || parseTraceparent(traceparent) === undefined) {
    return undefined;
  }
  const isKept = typeof tracestate === "string" && statePattern.test(tracestate);
  return { traceparent, ...(isKept ? { tracestate } : {}) };
}

/** A `tracestate` that is passed on; the standard permits to drop a longer one. */
const statePattern = /^[\x20-\x7e]{1,512}$/;

/** Reads a `traceparent`; undefined if it is not valid. */
export function parseTraceparent(text: string): SpanIds | undefined {
  const [, version, traceId = "", spanId = "", flags = "", rest] = pattern.exec(text) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) {
    return undefined;
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
