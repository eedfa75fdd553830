import { expect, test } from "vitest";
import { joinDeltas, withoutOmitted, withoutUnrecorded } from "../../conformance/compare/deltas.js";
import { compareLines } from "../../conformance/compare/lines.js";
import { Bindings } from "../../conformance/match/bindings.js";
import type { Json, OutLine, Strictness } from "../../conformance/trace/trace.js";

function lines(...msgs: Json[]): OutLine[] {
  return msgs.map((msg) => ({ msg, estimates: false }));
}

function event(type: string, fields: { [key: string]: Json } = {}): Json {
  return { id: "t1", msg: { type, ...fields } };
}

function compare(expected: OutLine[], actual: OutLine[], strictness: Strictness): string[] {
  const places = { workspace: "/ws", codexHome: "/codex", home: "/home", port: 1 };
  const context = { bindings: new Bindings(), places, version: "" };
  return compareLines(expected, actual, context, strictness);
}

function output(text: string, stream = "stdout", call = "c1"): Json {
  const chunk = Buffer.from(text).toString("base64");
  return event("exec_command_output_delta", { call_id: call, stream, chunk });
}

test("`exact` requires every line in place and reports extra and missing ones", () => {
  const expected = lines(event("a"), event("b", { text: "x" }), event("c"));

  expect(
    compare(expected, lines(event("a"), event("b", { text: "x" }), event("c")), "exact"),
  ).toEqual([]);
  expect(
    compare(expected, lines(event("a"), event("b", { text: "y" }), event("d")), "exact"),
  ).toEqual([
    'out 1 (b) msg.text: expected "x", got "y"',
    'out: line 2 of the trace did not come: {"id":"t1","msg":{"type":"c"}}',
    'out 2: not in the trace: {"id":"t1","msg":{"type":"d"}}',
  ]);
});

test("the start of a review may be announced anywhere", () => {
  const review = event("entered_review_mode");

  expect(compare(lines(review, event("a")), lines(event("a"), review), "exact")).toEqual([]);
  expect(compare(lines(review, event("a")), lines(event("a")), "exact").length).toBe(1);
});

test("`order` requires all lines, in any order", () => {
  const expected = lines(event("a", { n: 1 }), event("a", { n: 2 }), event("token_count"));

  expect(compare(expected, lines(event("a", { n: 2 }), event("a", { n: 1 })), "order")).toEqual([]);
  expect(compare(expected, lines(event("a", { n: 2 }), event("a", { n: 2 })), "order")).toEqual([
    'out, in any order: no line agrees with {"id":"t1","msg":{"type":"a","n":1}}',
    'out, in any order: not in the trace: {"id":"t1","msg":{"type":"a","n":2}}',
  ]);
});

test("`types` compares the types of lines only", () => {
  const expected = lines(event("a", { n: 1 }), event("b"));

  expect(compare(expected, lines(event("a", { n: 5 }), event("b")), "types")).toEqual([]);
  expect(compare(expected, lines(event("b"), event("a")), "types").length).toBe(2);
});

test("`differs` compares turn ends and responses", () => {
  const expected = lines(event("a"), event("task_complete", { last_agent_message: "x" }));

  expect(
    compare(expected, lines(event("task_complete", { last_agent_message: "x" })), "differs"),
  ).toEqual([]);
  expect(
    compare(expected, lines(event("task_complete", { last_agent_message: "y" })), "differs").length,
  ).toBe(2);
});

test("`streams` requires order within a call but not between calls", () => {
  const call = (id: string, step: string): Json => ({
    method: `codex/event/exec_command_${step}`,
    params: { id: "0", msg: { type: `exec_command_${step}`, call_id: id } },
  });
  const expected = lines(
    call("c1", "begin"),
    call("c1", "end"),
    call("c2", "begin"),
    call("c2", "end"),
  );
  const woven = lines(
    call("c2", "begin"),
    call("c1", "begin"),
    call("c2", "end"),
    call("c1", "end"),
  );
  const turned = lines(
    call("c1", "end"),
    call("c1", "begin"),
    call("c2", "begin"),
    call("c2", "end"),
  );

  expect(compare(expected, woven, "streams")).toEqual([]);
  expect(compare(expected, turned, "streams").length).toBe(2);
});

test("the id of a server request is bound and used by later lines", () => {
  const expected = lines(
    { id: 0, method: "execCommandApproval", params: { cwd: "<WORKSPACE>" } },
    { method: "serverRequest/resolved", params: { requestId: 0 } },
  );
  const actual = (resolved: number) =>
    lines(
      { id: 7, method: "execCommandApproval", params: { cwd: "/ws" } },
      { method: "serverRequest/resolved", params: { requestId: resolved } },
    );

  expect(compare(expected, actual(7), "exact")).toEqual([]);
  expect(compare(expected, actual(0), "exact").length).toBe(1);
});

test("neighbouring deltas of one stream are joined", () => {
  const whole = joinDeltas(
    lines(output("one\ntwo\n"), output("err", "stderr"), event("end"), output("x")),
  );
  const parts = joinDeltas(
    lines(output("one\n"), output("err", "stderr"), output("two\n"), event("end"), output("x")),
  );

  expect(parts).toEqual(whole);
  expect(parts.length).toBe(4);
});

test("deltas omitted from a trace are counted in bytes", () => {
  const omitted = [{ type: "exec_command_output_delta", bytes: 7, longestChunk: 4 }];

  expect(withoutOmitted(lines(event("a"), output("four"), output("abc")), omitted)).toEqual({
    lines: lines(event("a")),
    bytes: 7,
    longest: 4,
  });
});

test.each([
  ["c1", "c1"],
  ["<UUID-4>", "01a1"],
  ["exec-<UUID-4>", "exec-01a1"],
])(
  "output of %s that a trace has stays, and an earlier part that it lacks does not",
  (recorded, itemId) => {
    const method = "item/commandExecution/outputDelta";
    const delta = (itemId: string, text: string) => ({ method, params: { itemId, delta: text } });

    const left = withoutUnrecorded(
      lines(delta(itemId, "a\n"), delta(itemId, "b\n")),
      lines(delta(recorded, "b\n")),
      (text) => text,
    );

    expect(left).toEqual(lines(delta(itemId, "b\n")));
  },
);
