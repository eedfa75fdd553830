import { expect, test } from "vitest";
import { Bindings } from "../../conformance/match/bindings.js";
import { fill } from "../../conformance/match/fill.js";
import { matchValue } from "../../conformance/match/value.js";
import type { Json } from "../../conformance/trace/trace.js";

const A = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const places = { workspace: "/ws", codexHome: "/codex", home: "/home", port: 4000 };

function context() {
  return { bindings: new Bindings(), places, version: "" };
}

test("the order of keys does not matter, but null and absent differ", () => {
  expect(matchValue({ a: 1, b: 2 }, { b: 2, a: 1 }, context())).toEqual([]);
  expect(matchValue({ a: null }, {}, context())).toEqual([
    { path: "a", expected: null, got: undefined },
  ]);
  expect(matchValue({}, { a: null }, context())).toEqual([
    { path: "a", expected: undefined, got: null },
  ]);
});

test("a difference has a path", () => {
  const expected = { items: [{ text: "one" }, { text: "two" }] };

  expect(matchValue(expected, { items: [{ text: "one" }, { text: "2" }] }, context())).toEqual([
    { path: "items[1].text", expected: "two", got: "2" },
  ]);
});

test("lists of tools and changes are compared by name and path", () => {
  const expected = {
    tools: [{ name: "shell" }, { name: "view_image" }, { type: "web_search" }],
    changes: [{ path: "<WORKSPACE>/a" }, { path: "<WORKSPACE>/b" }],
    list: [1, 2],
  };
  const actual = {
    tools: [{ type: "web_search" }, { name: "view_image" }, { name: "shell" }],
    changes: [{ path: "/ws/b" }, { path: "/ws/a" }],
    list: [2, 1],
  };

  expect(matchValue(expected, actual, context()).map((one) => one.path)).toEqual([
    "list[0]",
    "list[1]",
  ]);
});

test("keys may hold placeholders", () => {
  const expected = { "<WORKSPACE>/a.txt": { add: true }, "<UUID-1>": 1 };

  expect(matchValue(expected, { [A]: 1, "/ws/a.txt": { add: true } }, context())).toEqual([]);
});

test.each<[Json, Json, boolean]>([
  [{ duration: { secs: 0, nanos: 0 } }, { duration: { secs: 3, nanos: 17 } }, true],
  [{ emittedAtMs: 0, createdAt: 0 }, { emittedAtMs: 1700000000000, createdAt: 1700000000 }, true],
  [{ exit_code: 0 }, { exit_code: 1 }, false],
  [{ durationMs: null }, { durationMs: 4 }, false],
  [{ durationMs: 5 }, { durationMs: 4 }, false],
  [{ sha: "a".repeat(40) }, { sha: "b".repeat(40) }, true],
  [{ sha: "a".repeat(40) }, { sha: "main" }, false],
])("%j and %j: %s", (expected, actual, agrees) => {
  expect(matchValue(expected, actual, context()).length === 0).toBe(agrees);
});

test("token counts are free only where they are guesses", () => {
  const expected = { usage: { total_tokens: 130 } };
  const actual = { usage: { total_tokens: 99 } };

  expect(matchValue(expected, actual, context()).length).toBe(1);
  expect(matchValue(expected, actual, context(), { estimates: true })).toEqual([]);
});

test("base64 chunks are compared decoded", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  expect(
    matchValue({ chunk: base64("<WORKSPACE>\n") }, { chunk: base64("/ws\n") }, context()),
  ).toEqual([]);
  expect(matchValue({ chunk: base64("a") }, { chunk: base64("b") }, context()).length).toBe(1);
});

test("values from the server fill placeholders of the client", () => {
  const run = context();
  const template = "<CODEX_HOME>/rollout-<TIME>-<UUID-1>.jsonl";
  const path = `/codex/rollout-2025-01-02T03-04-05-${A}.jsonl`;

  const before = fill({ params: { path: template, id: "<UUID-1>" } }, run.bindings, places);
  matchValue(
    { rolloutPath: template, history_log_id: 1 },
    { rolloutPath: path, history_log_id: 77 },
    run,
  );
  const after = fill(
    { params: { path: template, id: "<UUID-1>", log_id: 1 } },
    run.bindings,
    places,
  );

  expect(before.missing).toContain("UUID-1");
  expect(after).toEqual({ value: { params: { path, id: A, log_id: 77 } }, missing: [] });
});
