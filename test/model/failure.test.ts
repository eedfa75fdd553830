import { describe, expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import type { Answer } from "../../src/model/scripted/index.js";
import type { ModelFailure } from "../../src/model/types.js";
import { breaks, cuts, ends, fails, hangs } from "../support/model.js";
import { ask, failureOf } from "./ask.js";

const broken = "stream disconnected before completion: ";
const highDemand = "We're currently experiencing high demand, which may cause temporary errors.";
const url = "http://127.0.0.1/v1/responses";

describe("a failure has the texts of its era", () => {
  test.each<[string, EraName, Answer, Partial<ModelFailure>]>([
    [
      "400",
      "0.42",
      fails(400, { error: { message: "bad thing" } }),
      {
        kind: "http_status",
        message: 'unexpected status 400 Bad Request: {"error":{"message":"bad thing"}}',
        retryable: false,
        status: 400,
      },
    ],
    [
      "400",
      "0.104",
      fails(400, { error: { message: "bad thing" } }),
      {
        kind: "http_status",
        message: '{"error":{"message":"bad thing"}}',
        retryable: false,
        status: 400,
      },
    ],
    [
      "401",
      "0.42",
      fails(401, { error: { message: "no key" } }),
      {
        kind: "auth",
        message: "exceeded retry limit, last status: 401 Unauthorized",
        retryable: false,
        status: 401,
      },
    ],
    [
      "401",
      "0.104",
      fails(401, { error: { message: "no key" } }),
      {
        kind: "auth",
        message: `unexpected status 401 Unauthorized: no key, url: ${url}`,
        retryable: false,
        status: 401,
      },
    ],
    [
      "404 with HTML",
      "0.104",
      fails(404, "<h1>no</h1>", { "cf-ray": "r1" }),
      {
        kind: "http_status",
        message: `unexpected status 404 Not Found: <h1>no</h1>, url: ${url}, cf-ray: r1`,
        retryable: false,
        status: 404,
      },
    ],
    [
      "429",
      "0.42",
      fails(429),
      {
        kind: "retry_limit",
        message: "exceeded retry limit, last status: 429 Too Many Requests",
        retryable: true,
        status: 429,
      },
    ],
    [
      "429",
      "0.104",
      fails(429, "", { "x-request-id": "q1" }),
      {
        kind: "retry_limit",
        message: "exceeded retry limit, last status: 429 Too Many Requests, request id: q1",
        retryable: true,
        status: 429,
      },
    ],
    [
      "500",
      "0.42",
      fails(500),
      { kind: "http_status", message: highDemand, retryable: true, status: 500 },
    ],
    [
      "500",
      "0.104",
      fails(500),
      { kind: "http_status", message: highDemand, retryable: true, status: 500 },
    ],
    [
      "503",
      "0.42",
      fails(503),
      {
        kind: "retry_limit",
        message: "exceeded retry limit, last status: 503 Service Unavailable",
        retryable: true,
        status: 503,
      },
    ],
    [
      "503",
      "0.104",
      fails(503, "oops"),
      {
        kind: "http_status",
        message: `unexpected status 503 Service Unavailable: oops, url: ${url}`,
        retryable: true,
        status: 503,
      },
    ],
    [
      "503 for want of room",
      "0.104",
      fails(503, { error: { code: "slow_down" } }),
      {
        kind: "overloaded",
        message: "Selected model is at capacity. Please try a different model.",
        retryable: false,
        status: 503,
      },
    ],
    [
      "a cut",
      "0.42",
      cuts(),
      {
        kind: "stream_closed",
        message: `${broken}Transport error: error decoding response body`,
        retryable: true,
      },
    ],
    [
      "a cut",
      "0.104",
      cuts(),
      {
        kind: "stream_closed",
        message: `${broken}Transport error: network error: error decoding response body`,
        retryable: true,
      },
    ],
    [
      "an early end",
      "0.42",
      ends(),
      {
        kind: "stream_closed",
        message: `${broken}stream closed before response.completed`,
        retryable: true,
      },
    ],
    [
      "a cut response",
      "0.42",
      [{ incomplete: "max_output_tokens" }],
      {
        kind: "stream_closed",
        message: `${broken}stream closed before response.completed`,
        retryable: true,
      },
    ],
    [
      "a failed response",
      "0.42",
      breaks("server_error", "it broke"),
      { kind: "response_failed", message: `${broken}it broke`, retryable: true },
    ],
    [
      "a rate limit in the stream",
      "0.42",
      breaks("rate_limit_exceeded", "Please try again in 0.5s."),
      {
        kind: "response_failed",
        message: `${broken}Please try again in 0.5s.`,
        retryable: true,
        retryAfterMs: 500,
      },
    ],
  ])("%s as of %s", async (_, era, answer, expected) => {
    const { items } = await ask([answer], era);

    expect(failureOf(items)).toEqual(expected);
  });

  test("a limit of the plan comes with the limits", async () => {
    const body = {
      error: { type: "usage_limit_reached", plan_type: "plus", resets_in_seconds: 3600 },
    };
    const answer = fails(429, body, { "x-codex-primary-used-percent": "100" });

    const { items, requests } = await ask([answer], "0.42", { request_max_retries: 4 });

    expect(requests).toHaveLength(1);
    expect(failureOf(items)).toEqual({
      kind: "usage_limit",
      message:
        "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 1 hour.",
      retryable: false,
      status: 429,
      rateLimits: {
        primary: { used_percent: 100, window_minutes: null, resets_in_seconds: null },
        secondary: null,
      },
    });
  });

  test("silence is a separate failure", async () => {
    const { items } = await ask([hangs()], "0.42", { stream_idle_timeout_ms: 20 });

    expect(failureOf(items)).toEqual({
      kind: "idle_timeout",
      message: `${broken}idle timeout waiting for SSE`,
      retryable: true,
    });
  });
});
