import { expect, test } from "vitest";
import type { EventMsg } from "../../../src/protocol/types.js";
import { createProjection, started } from "./projected.js";

const complete = { type: "task_complete", response_id: "r1" } as EventMsg;
const failure: EventMsg = { type: "error", message: "broken" };

test("a turn starts and ends with its status and duration", () => {
  const { project } = createProjection();

  const begin = project(started);
  const end = project(complete);

  expect(begin.map(({ method }) => method)).toContain("thread/status/changed");
  expect(end).toMatchObject([
    { method: "thread/status/changed", params: { status: { type: "idle" } } },
    {
      method: "turn/completed",
      params: {
        threadId: "t",
        turn: {
          id: "u",
          status: "completed",
          error: null,
          startedAt: 5,
          completedAt: 5,
          durationMs: 0,
          responseId: "r1",
        },
      },
    },
  ]);
});

test("an error fails the turn that it occurs in, and the status stays", () => {
  const { project, projection } = createProjection();
  project(started);

  const error = project(failure);
  const [end] = project(complete);

  expect(error).toMatchObject([
    { method: "thread/status/changed", params: { status: { type: "systemError" } } },
    { method: "error", params: { turnId: "u", willRetry: false, error: { message: "broken" } } },
  ]);
  expect(end).toMatchObject({
    method: "turn/completed",
    params: { turn: { status: "failed", error: { message: "broken" } } },
  });
  expect(projection.status).toEqual({ type: "systemError" });
});

test("an error that prevents an announced turn ends it as failed", () => {
  const { project, promised } = createProjection({ announced: ["s"] });

  const sent = project(failure);

  expect(sent).toMatchObject([
    { method: "error", params: { turnId: "s" } },
    { method: "turn/completed", params: { turn: { id: "s", status: "failed" } } },
  ]);
  expect(promised.size).toBe(0);
});

test.each([
  ["an error of another submission is not reported", "other", []],
  ["an error without a submission is a warning", "", ["warning"]],
])("%s", (_, id, methods) => {
  const { project } = createProjection();

  const sent = project({ id, msg: failure });

  expect(sent.map(({ method }) => method)).toEqual(methods);
});

test.each([
  [complete, "completed"],
  [{ type: "turn_aborted", reason: "interrupted" } as EventMsg, "interrupted"],
])("an announced turn that never started ends with %j", (msg, status) => {
  const { project } = createProjection({ announced: ["s"] });

  expect(project(msg)).toMatchObject([
    { method: "turn/completed", params: { turn: { id: "s", status } } },
  ]);
  expect(project(msg)).toEqual([]);
});

test("a retry is an error that does not fail the turn", () => {
  const { project } = createProjection();
  const retry = { type: "stream_error", message: "Reconnecting" } as EventMsg;
  const idle = project(retry);
  project(started);

  expect(idle).toEqual([]);
  expect(project(retry)).toMatchObject([{ method: "error", params: { willRetry: true } }]);
  expect(project(complete).at(-1)).toMatchObject({ params: { turn: { status: "completed" } } });
});

test("error info is written in camelCase, with its members", () => {
  const { project } = createProjection();
  project(started);
  const info = { response_stream_disconnected: { http_status_code: 502 } };

  const sent = project({ ...failure, codex_error_info: info } as EventMsg);

  expect(sent.at(-1)).toMatchObject({
    params: { error: { codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 502 } } } },
  });
});

test("a plan and a diff belong to the running turn", () => {
  const { project } = createProjection();
  project(started);
  const plan = [{ step: "look", status: "in_progress" }];

  const sent = project(
    { type: "plan_update", plan } as EventMsg,
    { type: "turn_diff", unified_diff: "+a" } as EventMsg,
  );

  expect(sent).toEqual([
    {
      method: "turn/plan/updated",
      params: {
        threadId: "t",
        turnId: "u",
        explanation: null,
        plan: [{ step: "look", status: "inProgress" }],
      },
    },
    { method: "turn/diff/updated", params: { threadId: "t", turnId: "u", diff: "+a" } },
  ]);
});

test("open items are forgotten at the end of the turn, except running processes", () => {
  const { project, projection } = createProjection();
  const begin = { type: "exec_command_begin", command: ["sleep"], cwd: "/" };
  project(
    started,
    { ...begin, call_id: "c1" } as EventMsg,
    { ...begin, call_id: "c2", process_id: "7" } as EventMsg,
  );

  project(complete);

  expect([...projection.openItems.keys()]).toEqual(["c2"]);
});
