import { expect, test } from "vitest";
import { checkScript } from "../../../src/model/scripted/index.js";

test.each([
  [[]],
  [[[]]],
  [[[{ message: "hi", deltas: ["h", "i"], pause_ms: 1, id: "m" }, { completed: true }]]],
  [[[{ reasoning: "x", raw: "y" }, { call: "shell", args: { a: 1 } }, { end: true }]]],
  [[{ n: 0, status: 200, sse: [{ type: "response.created", response: {} }, { $delay_ms: 5 }] }]],
  [[{ status: 400, body: { error: {} } }]],
  [
    {
      answers: [[{ status: 429, headers: { "retry-after": "1" } }]],
      after: "repeat",
      echo_model: true,
    },
  ],
])("takes %j", (script) => {
  expect(checkScript(script)).toBe(script);
});

test.each([
  [7, "script must be a list of answers or an object with `answers`"],
  [{}, "script.answers must be a list of answers"],
  [{ answers: [], after: "stop" }, 'script.after must be "error" or "repeat", not "stop"'],
  [
    { answers: [], extra: 1 },
    "script.extra is not known here; there may be answers, after, agents, echo_model",
  ],
  [["hi"], "script[0] must be a list of steps or a recorded answer"],
  [[{}], "script[0] needs `sse`, or `status` and `body`"],
  [[[7]], "script[0][0] must be an object"],
  [[[{ message: 7 }]], "script[0][0].message must be text, not 7"],
  [
    [[{ message: "a", delta: ["a"] }]],
    "script[0][0].delta is not known here; there may be message, deltas, pause_ms, id",
  ],
  [
    [[], [{ message: "a" }, { call: "x", call_id: null }]],
    "script[1][1].call_id must be text, not null",
  ],
  [[[{ custom_call: "x" }]], "script[0][0].input is needed beside `custom_call`"],
  [[[{ completed: false }]], "script[0][0].completed must be true, not false"],
  [[[{ status: 99 }]], "script[0][0].status must be an HTTP status from 200 to 599, not 99"],
  [[[{ pause_ms: -1 }]], "script[0][0].pause_ms must be milliseconds, not -1"],
  [[[{ local_shell: "ls" }]], 'script[0][0].local_shell must be a list of texts, not "ls"'],
  [[[{ type: 7 }]], "script[0][0].type must be text"],
  [[[{ cut: true }, { message: "late" }]], "script[0][0] ends the answer, but a step follows it"],
  [
    { answers: [{ sse: [{ say: "x" }] }] },
    "script.answers[0].sse[0] is no step: it has none of message, ",
  ],
])("refuses %j", (script, message) => {
  expect(() => checkScript(script)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message) }),
  );
});
