import { describe, expect, test } from "vitest";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { StreamItem } from "../../src/model/types.js";
import { askAll, fails, hangs, promptOf, says } from "../support/model.js";
import { ask, failureOf } from "./ask.js";

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

  test("ends, and the last refusal is reported", async () => {
    const script: Script = { answers: [fails(500)], after: "repeat" };

    const { items, requests, waits } = await ask(script, "0.42", again);

    expect(requests).toHaveLength(5);
    expect(waits).toEqual([200, 400, 800, 1600]);
    expect(failureOf(items)?.message).toBe(
      "We're currently experiencing high demand, which may cause temporary errors.",
    );
  });

  test("does not cover failures that a retry cannot fix", async () => {
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
