import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/lib/clock.js";
import { type Answer, type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelFailure, ModelProvider, StreamItem } from "../../src/model/types.js";
import type { EraName } from "../../src/protocol/era.js";
import {
  askAll,
  both,
  breaks,
  cuts,
  dialectOf,
  ends,
  fails,
  hangs,
  promptOf,
  reasons,
  says,
} from "../support/model.js";

/** A clock on which waiting takes no time but is written down. */
function fakeClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 1_700_000_000_000,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
  };
}

async function ask(script: Script, era: EraName, provider: Partial<ModelProvider> = {}) {
  const clock = fakeClock();
  const options = { dialect: dialectOf(era), provider, clock, random: () => 0.5 };
  const client = scriptedClient(script, options);
  const items = await askAll(client);
  return { items, waits: clock.waits, requests: client.requests };
}

function failureOf(items: StreamItem[]): ModelFailure | undefined {
  const last = items.at(-1);
  return last?.type === "failed" ? last.failure : undefined;
}

describe("an answer", () => {
  test("is told piece by piece, after the limits it came with", async () => {
    const script = [
      [
        { headers: { "x-codex-primary-used-percent": "5", "x-codex-turn-state": "sticky" } },
        ...both(reasons("think"), says("Hello.", "Hel", "lo.")),
      ],
    ];

    const { items } = await ask(script, "0.42");

    expect(items).toEqual([
      {
        type: "accepted",
        rateLimits: {
          primary: { used_percent: 5, window_minutes: null, resets_in_seconds: null },
          secondary: null,
        },
        turnState: "sticky",
      },
      { type: "created", responseId: "resp_0" },
      {
        type: "item_added",
        item: {
          type: "reasoning",
          id: "rs_0_0",
          summary: [],
          content: null,
          encrypted_content: null,
        },
      },
      { type: "reasoning_part", itemId: "rs_0_0", index: 0 },
      { type: "reasoning_delta", delta: "think", itemId: "rs_0_0", index: 0 },
      {
        type: "item_done",
        item: {
          type: "reasoning",
          id: "rs_0_0",
          summary: [{ type: "summary_text", text: "think" }],
          content: null,
          encrypted_content: "ENC",
        },
      },
      {
        type: "item_added",
        item: { type: "message", id: "msg_0_1", role: "assistant", content: [] },
      },
      { type: "text_delta", delta: "Hel", itemId: "msg_0_1" },
      { type: "text_delta", delta: "lo.", itemId: "msg_0_1" },
      {
        type: "item_done",
        item: {
          type: "message",
          id: "msg_0_1",
          role: "assistant",
          content: [{ type: "output_text", text: "Hello." }],
        },
      },
      {
        type: "completed",
        responseId: "resp_0",
        usage: {
          input_tokens: 100,
          cached_input_tokens: 20,
          output_tokens: 30,
          reasoning_output_tokens: 5,
          total_tokens: 130,
        },
      },
    ]);
  });

  test("is over with `completed`, though the stream stays open", async () => {
    const { items } = await ask([[{ completed: true, usage: null }, { hang: true }]], "0.104");

    expect(items.at(-1)).toEqual({ type: "completed", responseId: "resp_0", usage: undefined });
  });
});

const broken = "stream disconnected before completion: ";
const highDemand = "We're currently experiencing high demand, which may cause temporary errors.";
const url = "http://127.0.0.1/v1/responses";

describe("a failure is told in the words of its era", () => {
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

  test("silence is a failure of its own", async () => {
    const { items } = await ask([hangs()], "0.42", { stream_idle_timeout_ms: 20 });

    expect(failureOf(items)).toEqual({
      kind: "idle_timeout",
      message: `${broken}idle timeout waiting for SSE`,
      retryable: true,
    });
  });
});

describe("a provider that cannot be asked", () => {
  test.each(["nonsense", "ftp://x/v1"])("has no web address: %s", async (base_url) => {
    const { items } = await ask([says("x")], "0.42", { base_url, request_max_retries: 4 });

    expect(items).toMatchObject([
      {
        failure: { message: expect.stringContaining("not an http or https URL"), retryable: false },
      },
    ]);
  });
});

describe("the request budget", () => {
  const again = { request_max_retries: 4 };

  test("covers refusals that may pass, with growing waits", async () => {
    const script = [fails(500), fails(503), fails(429), says("ok")];

    const { items, waits, requests } = await ask(script, "0.42", again);

    expect(requests).toHaveLength(4);
    expect(waits).toEqual([200, 400, 800]);
    expect(items.map((item) => item.type).slice(0, 4)).toEqual([
      "retrying",
      "retrying",
      "retrying",
      "accepted",
    ]);
    expect(items.at(-1)?.type).toBe("completed");
  });

  test("ends, and the last refusal is told", async () => {
    const script: Script = { answers: [fails(500)], after: "repeat" };

    const { items, requests, waits } = await ask(script, "0.42", again);

    expect(requests).toHaveLength(5);
    expect(waits).toEqual([200, 400, 800, 1600]);
    expect(failureOf(items)?.message).toBe(highDemand);
  });

  test("does not cover what asking again cannot mend", async () => {
    const { requests } = await ask([fails(400), says("never")], "0.42", again);

    expect(requests).toHaveLength(1);
  });

  test("covers a 401 in 2025 and not later", async () => {
    expect((await ask([fails(401), says("ok")], "0.42", again)).requests).toHaveLength(2);
    expect((await ask([fails(401), says("ok")], "0.104", again)).requests).toHaveLength(1);
  });

  test("waits as `Retry-After` says, where the era looks at it", async () => {
    const script = [fails(429, {}, { "retry-after": "3" }), says("ok")];

    expect((await ask(script, "0.42", again)).waits).toEqual([3000]);
    expect((await ask(script, "0.104", again)).waits).toEqual([200]);
  });

  test("reads `Retry-After` as a date too", async () => {
    const date = new Date(1_700_000_002_000).toUTCString();

    const { waits } = await ask(
      [fails(503, {}, { "retry-after": date }), says("ok")],
      "0.42",
      again,
    );

    expect(waits).toEqual([2000]);
  });

  test("does not make the user wait for minutes without a word", async () => {
    const { items, waits } = await ask([fails(429, {}, { "retry-after": "600" })], "0.42", again);

    expect(waits).toEqual([]);
    expect(failureOf(items)).toMatchObject({ retryable: true, retryAfterMs: 600_000 });
  });

  test("sends the same request each time", async () => {
    const { requests } = await ask([fails(500), says("ok")], "0.42", again);

    expect(requests[1]?.body).toEqual(requests[0]?.body);
    expect(requests[1]?.headers).toEqual(requests[0]?.headers);
  });
});

describe("an abort", () => {
  const reason = new Error("enough");

  test("before the request makes none", async () => {
    const client = scriptedClient([says("x")]);

    await expect(askAll(client, promptOf(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(client.requests).toEqual([]);
  });

  test("while nothing comes ends the wait with its reason", async () => {
    const abort = new AbortController();
    const stream = scriptedClient([hangs(says("x"))]).stream(promptOf(), abort.signal);
    await stream.next();
    await stream.next();

    const waiting = stream.next();
    abort.abort(reason);

    await expect(waiting).rejects.toBe(reason);
  });

  test("during a wait between tries ends it", async () => {
    const abort = new AbortController();
    const client = scriptedClient([fails(500), says("never")], {
      provider: { request_max_retries: 1 },
      random: () => 1e6,
    });
    const stream = client.stream(promptOf(), abort.signal);

    expect((await stream.next()).value).toMatchObject([{ type: "retrying" }]);
    const waiting = stream.next();
    abort.abort(reason);

    await expect(waiting).rejects.toBe(reason);
    expect(client.requests).toHaveLength(1);
  });
});

test("the time a caller takes does not count as silence", async () => {
  const client = scriptedClient([[{ message: "a" }, { pause_ms: 1 }, { message: "b" }]], {
    provider: { stream_idle_timeout_ms: 30 },
  });
  const items: StreamItem[] = [];
  for await (const batch of client.stream(promptOf(), new AbortController().signal)) {
    items.push(...batch);
    await new Promise((resolve) => setTimeout(resolve, 70));
  }

  expect(items.at(-1)?.type).toBe("completed");
});
