import { describe, expect, test } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import * as protocol from "../../../src/protocol/index.js";
import type { Op } from "../../../src/protocol/types.js";
import { membersOf } from "./members.js";
import { ops } from "./samples.js";

describe.each(membersOf(protocol.Op))("the op $type", ({ type, required, optional }) => {
  const sample = ops[type as Op["type"]];

  test("is read as it was sent", () => {
    const sent: unknown = JSON.parse(JSON.stringify({ id: "1", op: sample }));

    expect(protocol.parseSubmission(sent)).toEqual(sent);
  });

  test("ignores fields that it does not know", () => {
    expect(protocol.parseOp({ ...sample, of_the_future: [1] })).toMatchObject(sample);
  });

  test.each(required)("without %s is refused with an error that names it", (field) => {
    const { [field]: _, ...rest } = sample as unknown as Record<string, unknown>;

    expect(problemOf(rest)).toEqual(["invalid_request", `op.${field}`]);
  });

  test.each(required)("with a wrong %s is refused with an error that names it", (field) => {
    expect(problemOf({ ...sample, [field]: [[true]] })).toEqual([
      "invalid_request",
      expect.stringContaining(`op.${field}`),
    ]);
  });

  test.each(optional)("treats a null %s as absent", (field) => {
    if (type === "override_turn_context" && field === "effort") return; // null clears it

    expect(protocol.parseOp({ ...sample, [field]: null })).toEqual(sample);
  });
});

test("override_turn_context keeps a null effort, which clears it", () => {
  const op = { type: "override_turn_context", effort: null };

  expect(protocol.parseOp(op)).toEqual(op);
});

test.each(["ping", "toString", "__proto__", ""])("the type %j is an unknown op", (type) => {
  expect(() => protocol.parseSubmission({ id: "7", op: { type } })).toThrow(
    expect.objectContaining({ code: "unknown_op", data: { id: "7", type } }),
  );
});

function problemOf(op: unknown): unknown[] {
  try {
    protocol.parseOp(op);
  } catch (error) {
    if (error instanceof CodexError) return [error.code, error.data?.path];
  }
  return [];
}
