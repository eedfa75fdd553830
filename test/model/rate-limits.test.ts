import { describe, expect, test } from "vitest";
import { readRateLimits } from "../../src/model/read-stream-event.js";

const now = 1_700_000_000_000;

const headers = {
  "x-codex-primary-used-percent": "12.5",
  "x-codex-primary-window-minutes": "300",
  "x-codex-primary-reset-after-seconds": "60",
  "x-codex-secondary-used-percent": "40",
  "x-codex-secondary-window-minutes": "10080",
  "x-codex-secondary-reset-at": "1700000600",
};

describe("the limits in the headers of an answer", () => {
  test("have seconds to wait in the format of 2025", () => {
    expect(readRateLimits(headers, "2025", now)).toEqual({
      primary: { used_percent: 12.5, window_minutes: 300, resets_in_seconds: 60 },
      secondary: { used_percent: 40, window_minutes: 10080, resets_in_seconds: 600 },
    });
  });

  test("have the reset time in the format of 2026", () => {
    expect(readRateLimits(headers, "2026", now)).toEqual({
      limit_id: "codex",
      limit_name: null,
      primary: { used_percent: 12.5, window_minutes: 300, resets_at: 1_700_000_060 },
      secondary: { used_percent: 40, window_minutes: 10080, resets_at: 1_700_000_600 },
      credits: null,
      plan_type: null,
    });
  });

  test("are empty when there are none, or none with a number in it", () => {
    const broken = {
      "x-codex-primary-used-percent": "a lot",
      "x-codex-secondary-used-percent": "0",
      "x-codex-secondary-window-minutes": "0",
    };

    expect(readRateLimits({}, "2025", now)).toEqual({ primary: null, secondary: null });
    expect(readRateLimits(broken, "2025", now)).toEqual({ primary: null, secondary: null });
  });

  test("are those of the limit that the response names as active", () => {
    expect(
      readRateLimits(
        {
          "x-codex-active-limit": "codex_other",
          "x-codex-other-limit-name": "Other",
          "x-codex-other-primary-used-percent": "99",
          "x-codex-credits-has-credits": "true",
          "x-codex-credits-unlimited": "0",
          "x-codex-credits-balance": "9.99",
        },
        "2026",
        now,
      ),
    ).toEqual({
      limit_id: "codex_other",
      limit_name: "Other",
      primary: { used_percent: 99, window_minutes: null, resets_at: null },
      secondary: null,
      credits: { has_credits: true, unlimited: false, balance: "9.99" },
      plan_type: null,
    });
  });
});
