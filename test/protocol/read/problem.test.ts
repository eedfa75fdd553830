import { expect, test } from "vitest";
import { checkOp } from "../../../src/protocol/checks/sqeq.generated.js";
import { checkTurnStartParams } from "../../../src/protocol/checks/v2-first.generated.js";
import { CodexError } from "../../../src/protocol/error.js";
import { fitting } from "../../../src/protocol/read/check.js";
import { assertValid, findProblem } from "../../../src/protocol/read/problem.js";

const turn = { type: "user_turn", items: [] };
const image = { type: "image" };

test.each([
  [
    { type: "user_turn" },
    { path: "op.items", message: "op.items is missing.", reason: "missing field `items`" },
  ],
  [
    { ...turn, items: "hi" },
    {
      path: "op.items",
      message: 'op.items must be a list, not "hi".',
      reason: 'invalid type: string "hi", expected a sequence',
    },
  ],
  [
    { ...turn, model: 5 },
    {
      path: "op.model",
      message: "op.model must be a string, not 5.",
      reason: "invalid type: integer `5`, expected a string",
    },
  ],
  [
    { ...turn, model: 1.5 },
    {
      path: "op.model",
      message: "op.model must be a string, not 1.5.",
      reason: "invalid type: floating point `1.5`, expected a string",
    },
  ],
  [
    { ...turn, model: { name: "x" } },
    {
      path: "op.model",
      message: "op.model must be a string, not an object.",
      reason: "invalid type: map, expected a string",
    },
  ],
  [
    { ...turn, summary: "long" },
    {
      path: "op.summary",
      message: 'op.summary must be one of "auto", "concise", "detailed", "none", not "long".',
      reason: "unknown variant `long`, expected one of `auto`, `concise`, `detailed`, `none`",
    },
  ],
  [
    { ...turn, items: [{ type: "text", text: "a" }, image] },
    {
      path: "op.items[1].image_url",
      message: "op.items[1].image_url is missing.",
      reason: "missing field `image_url`",
    },
  ],
  [
    { ...turn, items: [{}] },
    {
      path: "op.items[0].type",
      message: "op.items[0].type must be a string that says which kind it is.",
      reason: "missing field `type`",
    },
  ],
  [
    { ...turn, items: [5] },
    {
      path: "op.items[0]",
      message: "op.items[0] must be an object, not 5.",
      reason: "invalid type: integer `5`, expected a map",
    },
  ],
])("%j: the problem names path, value and expectation", (op, problem) => {
  expect(findProblem(checkOp, op, "op")).toEqual(problem);
});

test("an unknown tag is quoted, and its reason lists the known ones", () => {
  const problem = findProblem(checkOp, { ...turn, items: [{ type: "video" }] }, "op");

  expect(problem?.message).toBe('op.items[0].type is "video", which is not known here.');
  expect(problem?.reason).toMatch(/^unknown variant `video`, expected one of `text`, `image`, /);
});

test("a long value is shortened in the message", () => {
  const problem = findProblem(checkOp, { ...turn, effort: "x".repeat(500) }, "op");

  expect(problem?.message.length).toBeLessThan(250);
  expect(problem?.message).toContain(`"${"x".repeat(59)}…`);
});

test("a valid value has no problem", () => {
  expect(findProblem(checkOp, turn, "op")).toBeUndefined();
});

test("assertValid throws the code, the data with the path, and the reason as the cause", () => {
  const check = () => assertValid(checkTurnStartParams, {}, "params", { id: "7" }, "config");

  expect(check).toThrow(
    new CodexError("config", "params.threadId is missing.", {
      data: { id: "7", path: "params.threadId" },
      cause: "missing field `threadId`",
    }),
  );
});

test("fitting drops nulls only if the value is not valid with them", () => {
  const valid = { type: "override_turn_context", effort: null };

  expect(fitting(checkOp, valid)).toBe(valid);
  expect(fitting(checkOp, { ...turn, model: null })).toEqual(turn);
  expect(fitting(checkOp, 5)).toBe(5);
});
