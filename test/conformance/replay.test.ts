import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Deviation } from "../../conformance/deviations.js";
import { runTrace } from "../../conformance/run-traces.js";
import { parseTrace } from "../../conformance/trace/parse-trace.js";
import type { Json, Trace } from "../../conformance/trace/trace.js";

const FAKE = fileURLToPath(new URL("fake-server.mjs", import.meta.url));
const options = { program: [process.execPath, FAKE], timeoutMs: 5000, eventsOnly: false };

const META = {
  dir: "meta",
  msg: {
    name: "fake",
    version: "0.42.0",
    command: ["codex", "proto"],
    config_toml: 'base_url = "http://127.0.0.1:<PORT>/v1"\n',
  },
};
const CONFIGURED = {
  dir: "out",
  msg: { id: "", msg: { type: "session_configured", session_id: "<UUID-1>", era: "0.42" } },
};
const REQUEST = {
  dir: "model_request",
  msg: {
    n: 0,
    method: "POST",
    url: "/v1/responses",
    headers: { session_id: "<UUID-1>" },
    body: { input: ["go"], cwd: "<WORKSPACE>" },
  },
};
const COMPLETE = {
  dir: "out",
  msg: { id: "t1", msg: { type: "task_complete", seconds: 12, secs: 0 } },
};
const END = { dir: "end", msg: { exit_code: 0, ended_by: "stdin closed" } };

function trace(...lines: object[]): Trace {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return parseTrace(text, { group: "fake", name: "fake", strictness: "exact" });
}

function send(op: object, more: object = {}): object {
  return { dir: "in", ...more, msg: { id: "t1", op } };
}

function answers(...sse: Json[]): object {
  return { dir: "model_response", msg: { n: 0, status: 200, sse } };
}

function says(message: string): object {
  return { dir: "out", msg: { id: "t1", msg: { type: "agent_message", message } } };
}

const GO = send({ type: "user_input", text: "go" }, { after: "session_configured" });

function turn(message: string, expected = message): Trace {
  return trace(
    META,
    CONFIGURED,
    GO,
    REQUEST,
    answers({ type: "say", text: message }),
    says(expected),
    COMPLETE,
    END,
  );
}

test("a program that matches the trace passes", async () => {
  expect(await runTrace(turn("Hello."), undefined, options)).toEqual({
    kind: "trace",
    group: "fake",
    name: "fake",
    status: "passed",
    events: true,
    requests: true,
    differences: [],
  });
});

test("a program that differs fails, with expected and actual output", async () => {
  const result = await runTrace(turn("Hello.", "Good-bye."), undefined, options);

  expect(result).toMatchObject({
    status: "failed",
    events: false,
    requests: true,
    differences: ['out 1 (agent_message) msg.message: expected "Good-bye.", got "Hello."'],
  });
});

test("a different request fails separately, unless only events are compared", async () => {
  const wrong = structuredClone(REQUEST);
  wrong.msg.body.input = ["stop"];
  const other = trace(
    META,
    CONFIGURED,
    GO,
    wrong,
    answers({ type: "say", text: "a" }),
    says("a"),
    COMPLETE,
    END,
  );

  expect(await runTrace(other, undefined, options)).toMatchObject({
    status: "failed",
    events: true,
    requests: false,
    differences: ['request 0: body.input[0]: expected "stop", got "go"'],
  });
  expect((await runTrace(other, undefined, { ...options, eventsOnly: true })).status).toBe(
    "passed",
  );
});

test("values from the server are sent back by the client", async () => {
  const echoed = trace(
    META,
    CONFIGURED,
    send({ type: "echo", session_id: "<UUID-1>" }),
    { dir: "out", msg: { id: "t1", msg: { type: "echo", same: true } } },
    END,
  );

  expect((await runTrace(echoed, undefined, options)).differences).toEqual([]);
});

test("answers carry the id the server chose for its request", async () => {
  const asked = trace(
    META,
    CONFIGURED,
    GO,
    REQUEST,
    answers({ type: "ask" }),
    { dir: "out", msg: { id: 0, method: "approve", params: {} } },
    { dir: "in", after: "approve", msg: { id: 0, result: { decision: "yes" } } },
    { dir: "out", msg: { id: "t1", msg: { type: "decided", decision: "yes" } } },
    COMPLETE,
    END,
  );

  expect((await runTrace(asked, undefined, options)).differences).toEqual([]);
});

test("a missing line is reported, with the last one received", async () => {
  const waiting = trace(META, CONFIGURED, send({ type: "echo" }, { after: "coffee" }), END);
  const result = await runTrace(waiting, undefined, { ...options, timeoutMs: 2000 });

  expect(result.status).toBe("failed");
  expect(result.differences[0]).toMatch(
    /^waited for coffee, got 1 lines \(last line .*session_configured.*\); it was still running/,
  );
});

test("a program that cannot be started fails the trace", async () => {
  const result = await runTrace(turn("x"), undefined, {
    ...options,
    program: ["/no/such/program"],
  });

  expect(result.differences[0]).toMatch(
    /^waited for session_configured, got 0 lines .*cannot start/,
  );
});

test("files and exit code at the end are compared", async () => {
  const written = (text: string, exit: number) =>
    trace(
      META,
      CONFIGURED,
      GO,
      REQUEST,
      answers({ type: "write", path: "<WORKSPACE>/made.txt", text: "one" }),
      COMPLETE,
      { dir: "end", msg: { exit_code: exit, ended_by: "", workspace_after: { "made.txt": text } } },
    );

  expect((await runTrace(written("one", 0), undefined, options)).differences).toEqual([]);
  expect((await runTrace(written("two", 3), undefined, options)).differences).toEqual([
    "end exit_code: expected 3, got 0",
    'end workspace made.txt: expected "two", got "one"',
  ]);
});

test("a deviation is checked by its edits, and a stale one fails", async () => {
  const deviation = (...edits: Deviation["edits"]): Deviation => ({
    id: "fake/fake",
    why: "on purpose",
    source: "a document",
    except: [],
    edits,
  });
  const at = { msg: { type: "agent_message" } };
  const differing = turn("Hello.", "Good-bye.");
  const status = async (from: Trace, one: Deviation) => (await runTrace(from, one, options)).status;

  expect(await status(differing, deviation())).toBe("deviation");
  expect(
    await status(differing, deviation({ in: "out", at, set: { "msg.message": "Hello." } })),
  ).toBe("deviation");
  expect(await status(differing, deviation({ in: "out", at, set: { "msg.message": "Hi." } }))).toBe(
    "failed",
  );
  expect((await runTrace(turn("Hello."), deviation(), options)).differences).toEqual([
    "stale deviation: the trace passes as recorded",
  ]);
});
