import { expect, test } from "vitest";
import { editTrace } from "../../conformance/trace/edit-trace.js";
import { parseTrace } from "../../conformance/trace/parse-trace.js";
import { parseMarks } from "../../conformance/trace/read-traces.js";
import type { Json, Trace } from "../../conformance/trace/trace.js";

const source = { group: "g", name: "n", strictness: "exact" as const };

function read(...lines: object[]): Trace {
  const meta = { dir: "meta", msg: { name: "n", version: "1.0.0", command: ["codex"] } };
  return parseTrace([meta, ...lines].map((line) => JSON.stringify(line)).join("\n"), source);
}

function request(n: number, tools: Json): object {
  return {
    dir: "model_request",
    msg: { n, method: "POST", url: "/", headers: {}, body: { tools } },
  };
}

test("references to an earlier request are expanded", () => {
  const trace = read(
    request(0, ["a"]),
    request(1, "<same as in request 0>"),
    request(2, "<same as in request 1>"),
  );

  expect(trace.requests.map((one) => one.body)).toEqual([
    { tools: ["a"] },
    { tools: ["a"] },
    { tools: ["a"] },
  ]);
});

test("client lines wait for the lines before them", () => {
  const trace = read(
    { dir: "out", msg: { type: "hello" } },
    { dir: "in", after: "hello", delay_ms: 5, msg: { op: { type: "compact" } } },
    { dir: "out", msg: { type: "later" } },
  );

  expect(trace.client).toEqual([
    { msg: { op: { type: "compact" } }, after: "hello", delayMs: 5, outsBefore: 1 },
  ]);
  expect(trace.out.map((line) => line.estimates)).toEqual([false, true]);
});

test("an invalid line is reported", () => {
  expect(() => parseTrace('{"dir":"meta","msg":{}}\n{oops', source)).toThrow(
    "g/n line 2: not JSON",
  );
  expect(() => parseTrace('{"dir":"out"}', source)).toThrow(
    'g/n line 1: expected an object with "dir"',
  );
  expect(() => read({ dir: "sideways", msg: {} })).toThrow('unknown "dir": sideways');
  expect(() => parseTrace("", source)).toThrow("g/n: no meta line");
});

test("marks are read from the index", () => {
  const index =
    "## proto\n\n- a: shows a\n- b: shows b ~order\n\n## mcp\n\n- b: shows b ~differs\n";

  expect([...parseMarks(index)]).toEqual([
    ["proto/b", "order"],
    ["mcp/b", "differs"],
  ]);
});

test("edits insert, copy, remove and change lines", () => {
  const trace = read(
    { dir: "out", msg: { id: "1", list: [1, 2] } },
    { dir: "in", msg: {} },
    { dir: "out", msg: { id: "2" } },
    { dir: "in", msg: {} },
    request(0, ["a"]),
    { dir: "end", msg: { exit_code: null, ended_by: "SIGKILL" } },
  );
  const changed = editTrace(trace, [
    { in: "out", at: { id: "2" }, insert: [{ id: "new" }] },
    { in: "out", at: 0, set: { "list.2": 3 }, unset: ["list.0"] },
    { in: "requests", copy: 0 },
    { in: "requests", at: 1, set: { "body.tools": [] } },
    { in: "client", at: 0, remove: 1 },
    { in: "end", set: { exit_code: 0 } },
  ]);

  expect(changed.out.map((line) => line.msg)).toEqual([
    { id: "1", list: [2, 3] },
    { id: "new" },
    { id: "2" },
  ]);
  expect(changed.client.map((step) => step.outsBefore)).toEqual([3]);
  expect(changed.requests.map((one) => one.body)).toEqual([{ tools: ["a"] }, { tools: [] }]);
  expect(changed.end.exit_code).toBe(0);
  expect(trace.out.length).toBe(2);
  const others = editTrace(trace, [
    { in: "meta", set: { files: {}, "files.a\\.txt": "x" } },
    { in: "requests", omit: { "body.tools": ["a"] } },
  ]);
  expect(others.meta.files).toEqual({ "a.txt": "x" });
  expect(others.requests[0]?.body).toEqual({ tools: ["a"] });
  expect(() => editTrace(trace, [{ in: "out", at: { id: "9" }, remove: 1 }])).toThrow(
    'edit of g/n in out: there is no line {"id":"9"}',
  );
});
