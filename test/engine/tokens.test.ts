import { describe, expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import {
  ContextWindows,
  compactLimit,
  estimateTokens,
  TokenMeter,
} from "../../src/engine/tokens.js";
import type { TokenUsage } from "../../src/protocol/types.js";

function usage(total: number, reasoning = 0): TokenUsage {
  return {
    input_tokens: total - reasoning,
    cached_input_tokens: 0,
    output_tokens: reasoning,
    reasoning_output_tokens: reasoning,
    total_tokens: total,
  };
}

describe("TokenMeter", () => {
  test("has no info before the first response", () => {
    const { info, rate_limits } = new TokenMeter().event(1000);

    expect({ info, rate_limits }).toEqual({
      info: null,
      rate_limits: { primary: null, secondary: null },
    });
  });

  test("adds up responses and shows the last one", () => {
    const meter = new TokenMeter();
    meter.add(usage(10));
    meter.add(usage(25, 5));

    expect(meter.event(1000).info).toEqual({
      total_token_usage: usage(35, 5),
      last_token_usage: usage(25, 5),
      model_context_window: 1000,
    });
  });

  test("ignores a response without usage", () => {
    const meter = new TokenMeter();
    meter.add(usage(10));
    meter.add(undefined);

    expect(meter.last).toEqual(usage(10));
  });

  test("does not count reasoning as part of the context", () => {
    const meter = new TokenMeter();
    expect(meter.lastInContext).toBe(0);

    meter.add(usage(100, 40));

    expect(meter.lastInContext).toBe(60);
  });

  test("restores recorded counts and continues from them", () => {
    const recorded = new TokenMeter();
    recorded.add(usage(10));
    const meter = new TokenMeter();
    meter.restore(recorded.event(undefined));
    meter.add(usage(5));

    expect(meter.event(undefined).info).toMatchObject({
      total_token_usage: usage(15),
      model_context_window: null,
    });
  });

  test("an estimate replaces the last usage, but not the total", () => {
    const meter = new TokenMeter();
    meter.estimate(7);
    expect(meter.last).toBeUndefined();

    meter.add(usage(100));
    meter.estimate(7);

    expect(meter.lastInContext).toBe(7);
    expect(meter.event(1).info?.total_token_usage).toEqual(usage(100));
  });

  test("a full window counts even before the first response", () => {
    const meter = new TokenMeter();
    meter.fill(500);

    expect(meter.event(500).info).toMatchObject({
      total_token_usage: { total_tokens: 500 },
      last_token_usage: { total_tokens: 500 },
    });
  });

  test("rate limits stay until newer ones arrive", () => {
    const meter = new TokenMeter();
    const limits = { primary: { used_percent: 5 }, secondary: null } as never;
    meter.setRateLimits(limits);
    meter.setRateLimits(undefined);

    expect(meter.event(1).rate_limits).toBe(limits);
  });
});

test("each compaction starts a new context window with a new id", () => {
  let ids = 0;
  const windows = new ContextWindows(() => `w${++ids}`);
  expect({ number: windows.number, id: windows.id }).toEqual({ number: 0, id: "w1" });

  windows.next();

  expect({ number: windows.number, id: windows.id }).toEqual({ number: 1, id: "w2" });
});

test.each<[string, Parameters<typeof compactLimit>[0], number | undefined]>([
  ["the user's setting wins", { configured: 5, window: 100, era: eraOf() }, 5],
  ["most of the window", { configured: undefined, window: 999, era: eraOf() }, 899],
  ["none before 0.104", { configured: undefined, window: 100, era: eraOf("0.45") }, undefined],
  [
    "no known window, no limit",
    { configured: undefined, window: undefined, era: eraOf() },
    undefined,
  ],
])("the compaction limit: %s", (_, parts, limit) => {
  expect(compactLimit(parts)).toBe(limit);
});

test("an estimate is a quarter of the bytes as JSON, rounded up", () => {
  const item = { type: "message", role: "user", content: [] } as never;

  expect(estimateTokens([])).toBe(0);
  expect(estimateTokens([item])).toBe(Math.ceil(JSON.stringify(item).length / 4));
});
