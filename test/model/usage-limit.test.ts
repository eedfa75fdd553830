import { describe, expect, test } from "vitest";
import { readUsageRefusal, usageLimitText } from "../../src/model/usage-limit.js";

const now = new Date(2026, 10, 3, 15, 0).getTime();
const hit = "You've hit your usage limit.";

describe("in the texts of 2025", () => {
  test.each([
    [
      "plus",
      undefined,
      `${hit} Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again later.`,
    ],
    [
      "plus",
      60,
      `${hit} Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 1 minute.`,
    ],
    [
      "team",
      3600,
      `${hit} To get more access now, send a request to your admin or try again in 1 hour.`,
    ],
    [
      "business",
      undefined,
      `${hit} To get more access now, send a request to your admin or try again later.`,
    ],
    [
      "free",
      3600,
      "To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing.",
    ],
    ["pro", undefined, `${hit} Try again later.`],
    ["vip", 183_900, `${hit} Try again in 2 days 3 hours 5 minutes.`],
    [undefined, 30, `${hit} Try again in less than a minute.`],
    [undefined, 86_400 + 120, `${hit} Try again in 1 day 2 minutes.`],
  ])("plan %s, reset in %s s", (planType, resetsInSeconds, expected) => {
    expect(usageLimitText({ planType, resetsInSeconds }, "2025", now)).toBe(expected);
  });

  test("a reset time is shown as a duration", () => {
    const resetsAt = now / 1000 + 7200;

    expect(usageLimitText({ resetsAt }, "2025", now)).toBe(`${hit} Try again in 2 hours.`);
  });
});

describe("in the texts of 2026", () => {
  const credits = "https://chatgpt.com/codex/settings/usage to purchase more credits";

  test.each([
    [
      "plus",
      `${hit} Upgrade to Pro (https://chatgpt.com/explore/pro), visit ${credits} or try again later.`,
    ],
    ["pro", `${hit} Visit ${credits} or try again later.`],
    [
      "go",
      `${hit} Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), or try again later.`,
    ],
    ["team", `${hit} To get more access now, send a request to your admin or try again later.`],
    ["enterprise", `${hit} Try again later.`],
    [undefined, `${hit} Try again later.`],
  ])("plan %s", (planType, expected) => {
    expect(usageLimitText({ planType, resetsInSeconds: 3600 }, "2026", now)).toBe(expected);
  });

  test("the time of the reset has its date unless it is today", () => {
    const at = (day: number, hour: number, minute: number) =>
      usageLimitText(
        { resetsAt: new Date(2026, 10, day, hour, minute).getTime() / 1000 },
        "2026",
        now,
      );

    expect(at(3, 16, 5)).toBe(`${hit} Try again at 4:05 PM.`);
    expect(at(4, 0, 0)).toBe(`${hit} Try again at Nov 4th, 2026 12:00 AM.`);
    expect(at(12, 12, 30)).toBe(`${hit} Try again at Nov 12th, 2026 12:30 PM.`);
    expect(at(22, 9, 1)).toBe(`${hit} Try again at Nov 22nd, 2026 9:01 AM.`);
  });

  test("another limit and an offer of the provider come first", () => {
    expect(usageLimitText({ limitName: "spark", planType: "plus" }, "2026", now)).toBe(
      "You've hit your usage limit for spark. Switch to another model now, or try again later.",
    );
    expect(usageLimitText({ limitName: "codex", promo: "Buy one" }, "2026", now)).toBe(
      `${hit} Buy one, or try again later.`,
    );
  });
});

test("only bodies that speak of usage are read as such", () => {
  const body = { error: { type: "usage_limit_reached", plan_type: "pro", resets_in_seconds: 60 } };

  expect(readUsageRefusal(JSON.stringify(body))).toEqual({
    reason: "usage_limit_reached",
    limit: { planType: "pro", resetsInSeconds: 60, resetsAt: undefined },
  });
  expect(readUsageRefusal('{"error":{"type":"rate_limit"}}')).toBeUndefined();
  expect(readUsageRefusal("<html>")).toBeUndefined();
});
