import { describe, expect, test } from "vitest";
import { parseTraceparent } from "../../src/protocol/read/trace-context.js";
import {
  fromEnvironment,
  fromHeaders,
  noTelemetry,
  toEnvironment,
  toHeaders,
} from "../../src/telemetry/index.js";

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";
const traceparent = `00-${trace}-${span}-01`;

describe("a traceparent", () => {
  test.each([
    [traceparent, { traceId: trace, spanId: span, isSampled: true }],
    [`00-${trace}-${span}-00`, { traceId: trace, spanId: span, isSampled: false }],
    [`cc-${trace}-${span}-01-more`, { traceId: trace, spanId: span, isSampled: true }],
    [`00-${trace}-${span}-01-more`, undefined],
    [`ff-${trace}-${span}-01`, undefined],
    [`00-${"0".repeat(32)}-${span}-01`, undefined],
    [`00-${trace}-${"0".repeat(16)}-01`, undefined],
    [`00-${trace.toUpperCase()}-${span}-01`, undefined],
    [`00-${trace}-${span}`, undefined],
    ["", undefined],
  ])("%s is read", (text, expected) => {
    expect(parseTraceparent(text)).toEqual(expected);
  });
});

describe("a trace context", () => {
  const context = { traceparent, tracestate: "vendor=key:v" };

  test("passes through headers", () => {
    const headers = new Map(Object.entries(toHeaders(context)));

    expect(fromHeaders((name) => headers.get(name))).toEqual(context);
  });

  test("passes through the environment", () => {
    expect(toEnvironment(context)).toEqual({
      TRACEPARENT: traceparent,
      TRACESTATE: "vendor=key:v",
    });
    expect(fromEnvironment(toEnvironment(context))).toEqual(context);
  });

  test.each([
    [{ traceparent: "rubbish" }, undefined],
    [{ tracestate: "a=b" }, undefined],
    [{ traceparent, tracestate: "a=b\r\nx: y" }, { traceparent }],
    [{ traceparent, tracestate: "a".repeat(513) }, { traceparent }],
  ])("is dropped if invalid: %o", (headers: Record<string, string>, expected) => {
    expect(fromHeaders((name) => headers[name])).toEqual(expected);
  });

  test("is passed on by telemetry that is off", () => {
    expect(noTelemetry.startSpan("work", { parent: context }).context).toEqual(context);
    expect(toHeaders(noTelemetry.startSpan("work").context)).toEqual({});
  });
});
