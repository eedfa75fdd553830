import { expect, test } from "vitest";
import type { Event, Op } from "../../../src/protocol/types.js";
import { toServerRequest } from "../../../src/server/requests/dispatcher.js";
import {
  declinePermissions,
  readDecision,
  type ServerRequest,
  submitDecision,
} from "../../../src/server/requests/request.js";
import { ThreadState } from "../../../src/server/thread/state.js";
import type { Thread } from "../../../src/server/thread/thread.js";
import { createProjection } from "../feed/projected.js";

function requestOf(msg: object): ServerRequest {
  const event = { id: "s", turn_id: "u", msg } as Event;
  const request = toServerRequest(event, createProjection().projection);
  if (request === undefined) throw new Error(`${JSON.stringify(msg)} carries no request`);
  return request;
}

/** Creates a thread with pending requests that records its submissions. */
function threadWith(...events: Event[]) {
  const state = new ThreadState();
  for (const event of events) state.onEvent(event);
  const submitted: Op[] = [];
  const thread = { state, submit: (op: Op) => submitted.push(op) } as unknown as Thread;
  return { thread, submitted };
}

test.each<[unknown, unknown]>([
  ["approved", "approved"],
  [{ decision: "approved_for_session" }, "approved_for_session"],
  [{ decision: "denied" }, "denied"],
  [{ decision: "abort" }, "abort"],
  [{ decision: "yes please" }, "denied"],
  [{}, "denied"],
  [null, "denied"],
  [42, "denied"],
])("the answer %j is the decision %j", (answer, decision) => {
  expect(readDecision(answer)).toEqual(decision);
});

const command = { type: "exec_approval_request", call_id: "c1", command: ["ls"], cwd: "/" };
const patch = { type: "apply_patch_approval_request", call_id: "p1", changes: {} };

test.each([
  [command, { type: "exec_approval", id: "c1", decision: "approved" }],
  [patch, { type: "patch_approval", id: "p1", decision: "approved" }],
])("a decision on %j is submitted once", (msg, op) => {
  const event = { id: "s", msg } as Event;
  const { thread, submitted } = threadWith(event);

  submitDecision(event, thread, "approved");
  submitDecision(event, thread, "denied");

  expect(submitted).toEqual([op]);
});

test("only requests for permissions are declined", () => {
  const asked = { id: "s", msg: { type: "request_permissions", call_id: "r1" } } as Event;
  const other = { id: "s", msg: command } as Event;
  const { thread, submitted } = threadWith(asked, other);

  declinePermissions(other, thread);
  declinePermissions(asked, thread);

  expect(submitted).toEqual([
    {
      type: "request_permissions_response",
      id: "r1",
      response: { permissions: {}, scope: "turn" },
    },
  ]);
});

test.each([[{ type: "warning", message: "slow" }], [{ type: "task_started" }]])(
  "%j carries no request",
  (msg) => {
    const event = { id: "s", msg } as Event;

    expect(toServerRequest(event, createProjection().projection)).toBeUndefined();
  },
);

test("a command is requested with the decisions that are available", () => {
  const plain = requestOf(command);
  const amended = requestOf({ ...command, proposed_execpolicy_amendment: ["ls"] });

  expect(plain).toMatchObject({
    key: "c1",
    method: "item/commandExecution/requestApproval",
    params: {
      threadId: "t",
      turnId: "u",
      itemId: "c1",
      command: "ls",
      cwd: "/",
      availableDecisions: ["accept", "cancel"],
    },
    refusal: { type: "exec_approval", id: "c1", decision: "denied" },
  });
  expect(amended.params).toMatchObject({
    proposedExecpolicyAmendment: ["ls"],
    availableDecisions: [
      "accept",
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["ls"] } },
      "cancel",
    ],
  });
});

const questions = [{ id: "q1", header: "Pick", question: "Which?" }];
const userInput = { type: "request_user_input", call_id: "u1", questions };

test.each<[unknown, object]>([
  [{ answers: { q1: { answers: ["a", 1, "b"] } } }, { q1: { answers: ["a", "b"] } }],
  [{ answers: { q1: "a" } }, { q1: { answers: ["a"] } }],
  [{ answers: { q1: ["a"] } }, { q1: { answers: ["a"] } }],
  [{ answers: [] }, {}],
  ["a", {}],
])("the answers %j are read as %j", (answer, answers) => {
  expect(requestOf(userInput).toOp(answer)).toEqual({
    type: "user_input_answer",
    id: "u1",
    response: { answers },
  });
});

test("a client without the ability does not settle questions and tool calls", () => {
  const tool = { type: "dynamic_tool_call_request", callId: "d1", tool: "add", arguments: {} };

  expect(requestOf(userInput).needsAbility).toBe(true);
  expect(requestOf(tool).needsAbility).toBe(true);
  expect(requestOf(command).needsAbility).toBeUndefined();
});

const content = [{ type: "inputText", text: "3" }];
const invalid = {
  contentItems: [{ type: "inputText", text: "dynamic tool response was invalid" }],
  success: false,
};

test.each<[unknown, object]>([
  [
    { contentItems: content, success: true },
    { contentItems: content, success: true },
  ],
  [{ contentItems: content }, { contentItems: content, success: true }],
  [
    { contentItems: [{ type: "inputImage", imageUrl: "data:," }], success: false },
    { contentItems: [{ type: "inputImage", imageUrl: "data:," }], success: false },
  ],
  [{ contentItems: content, success: "yes" }, invalid],
  [{ contentItems: "3" }, invalid],
  [{ contentItems: [{ type: "inputText" }] }, invalid],
  [{ contentItems: [3] }, invalid],
  [null, invalid],
])("the tool result %j is read as %j", (answer, response) => {
  const tool = { type: "dynamic_tool_call_request", callId: "d1", tool: "add", arguments: {} };

  expect(requestOf(tool).toOp(answer)).toEqual({
    type: "dynamic_tool_response",
    id: "d1",
    response,
  });
});

test.each<[unknown, object]>([
  [
    { action: "accept", content: { name: "a" } },
    { decision: "accept", content: { name: "a" } },
  ],
  [{ action: "accept" }, { decision: "accept", content: {} }],
  [{ action: "cancel" }, { decision: "cancel" }],
  [{ action: "decline" }, { decision: "decline" }],
  ["accept", { decision: "accept", content: {} }],
  [{ action: "maybe" }, { decision: "decline" }],
  [null, { decision: "decline" }],
])("the elicitation result %j is read as %j", (answer, decided) => {
  const msg = { type: "elicitation_request", server_name: "s", id: 3, message: "Name?" };

  expect(requestOf(msg).toOp(answer)).toEqual({
    type: "resolve_elicitation",
    server_name: "s",
    request_id: 3,
    ...decided,
  });
});

const path = (value: string) => ({ type: "path", path: value });

test.each<[unknown, object]>([
  [
    { permissions: { network: { enabled: true } }, scope: "session" },
    { permissions: { network: { enabled: true } }, scope: "session" },
  ],
  [
    { permissions: { fileSystem: { read: ["/a", 1], write: ["/b"] } } },
    { permissions: { file_system: { read: ["/a"], write: ["/b"] } }, scope: "turn" },
  ],
  [
    { permissions: { fileSystem: { entries: [{ path: path("/a"), access: "write" }] } } },
    { permissions: { file_system: { read: [], write: ["/a"] } }, scope: "turn" },
  ],
  [
    { permissions: { fileSystem: { entries: [{ path: path("/a"), access: "deny" }] } } },
    { permissions: {}, scope: "turn" },
  ],
  [{ permissions: { network: { enabled: "yes" } } }, { permissions: {}, scope: "turn" }],
  [
    { permissions: {}, scope: "forever" },
    { permissions: {}, scope: "turn" },
  ],
  [{ scope: "session" }, { permissions: {}, scope: "turn" }],
  ["all", { permissions: {}, scope: "turn" }],
])("the permissions %j are read as %j", (answer, response) => {
  const msg = { type: "request_permissions", call_id: "r1", permissions: {}, started_at_ms: 1 };

  expect(requestOf(msg).toOp(answer)).toEqual({
    type: "request_permissions_response",
    id: "r1",
    response,
  });
});
