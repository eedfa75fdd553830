import { describe, expect, test } from "vitest";
import {
  addTokenUsage,
  BASELINE_TOKENS,
  blendedTotal,
  emptyTokenUsage,
  formatTokens,
  percentOfContextRemaining,
  tokensInContextWindow,
} from "../../src/protocol/token-usage.js";
import { toDuration, toMilliseconds } from "../../src/protocol/write.js";

const usage = {
  input_tokens: 100,
  cached_input_tokens: 20,
  output_tokens: 30,
  reasoning_output_tokens: 5,
  total_tokens: 130,
};

test("the blended total is uncached input and all output", () => {
  expect(blendedTotal(usage)).toBe(110);
  expect(blendedTotal({ ...usage, cached_input_tokens: 500 })).toBe(30);
});

test("usages add up field by field", () => {
  expect(addTokenUsage(addTokenUsage(emptyTokenUsage(), usage), usage)).toEqual({
    input_tokens: 200,
    cached_input_tokens: 40,
    output_tokens: 60,
    reasoning_output_tokens: 10,
    total_tokens: 260,
  });
});

test("reasoning does not fill the context window", () => {
  expect(tokensInContextWindow(usage)).toBe(125);
});

describe("the room left in the context window", () => {
  const total = (total_tokens: number) => ({ ...emptyTokenUsage(), total_tokens });

  test.each([
    [0, 112_000, 100],
    [BASELINE_TOKENS, 112_000, 100],
    [BASELINE_TOKENS + 25_000, 112_000, 75],
    [112_000, 112_000, 0],
    [500_000, 112_000, 0],
    [0, BASELINE_TOKENS, 0],
    [0, 0, 0],
  ])("%d tokens of %d leave %d %%", (used, window, percent) => {
    expect(percentOfContextRemaining(total(used), window)).toBe(percent);
  });
});

test.each([
  [0, { secs: 0, nanos: 0 }],
  [1, { secs: 0, nanos: 1_000_000 }],
  [1234.5, { secs: 1, nanos: 234_500_000 }],
  [999.9999999, { secs: 0, nanos: 999_999_999 }],
  [-5, { secs: 0, nanos: 0 }],
  [Number.NaN, { secs: 0, nanos: 0 }],
])("%d ms on the wire", (ms, duration) => {
  expect(toDuration(ms)).toEqual(duration);
});

test("a length of time comes back as milliseconds", () => {
  expect(toMilliseconds({ secs: 2, nanos: 500_000 })).toBe(2000.5);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1.00K"],
  [9_999, "10.0K"],
  [99_960, "100K"],
  [999_500, "1.00M"],
  [1_234_000_000_000, "1,234G"],
  [-3, "0"],
])("%d tokens are shown as %s", (count, shown) => {
  expect(formatTokens(count)).toBe(shown);
});
