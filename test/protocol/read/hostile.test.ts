import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import * as read from "../../../src/protocol/read/index.js";
import { specExamples } from "../spec-examples.js";

const readers: [string, (value: unknown) => unknown][] = [
  ["parseSubmission", read.parseSubmission],
  ["parseOp", read.parseOp],
  ["parseEvent", read.parseEvent],
  ["parseEventMsg", read.parseEventMsg],
  ["parseResponseItem", read.parseResponseItem],
  ["parseResponseInputItem", read.parseResponseInputItem],
  ["parseRolloutLine", read.parseRolloutLine],
  ["parseHistoryEntry", read.parseHistoryEntry],
];

/** An example of the specification in which one value was replaced by another. */
const damaged = fc
  .tuple(fc.constantFrom(...specExamples), fc.nat(), fc.jsonValue({ maxDepth: 3 }))
  .map(([{ json }, where, value]) => replaceOne(json, where, value));

describe.each(readers)("%s", (_, parse) => {
  test("answers any JSON with a value or a CodexError", () => {
    fc.assert(
      fc.property(fc.oneof(damaged, fc.jsonValue()), (value) => {
        try {
          parse(value);
        } catch (error) {
          if (!(error instanceof CodexError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });

  test("reads its own output unchanged", () => {
    fc.assert(
      fc.property(damaged, (value) => {
        const first = attempt(parse, value);
        if (first === undefined) return;
        const written = JSON.parse(JSON.stringify(first)) as unknown; // knows no -0
        expect(parse(written)).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });
});

describe("deep nesting", () => {
  const nested = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as unknown;

  test("is refused under the submission's id before anything works on it", () => {
    const op = { type: "user_input", items: nested };

    expect(() => read.parseSubmission({ id: "s1", op })).toThrow(
      expect.objectContaining({ code: "invalid_request", data: { id: "s1", limit: 128 } }),
    );
  });

  test("is refused by every reader of whole messages", () => {
    expect(() => read.parseEvent({ id: "1", msg: nested })).toThrow("nested more than 128 levels");
    expect(() => read.parseResponseItem({ type: "message", content: nested })).toThrow("nested");
    expect(() => read.parseRolloutLine({ timestamp: "t", payload: nested })).toThrow("nested");
  });

  test("is allowed up to the limit", () => {
    const items = JSON.parse(
      `${"[".repeat(read.MAX_DEPTH)}${"]".repeat(read.MAX_DEPTH)}`,
    ) as unknown;

    expect(() => read.assertDepth(items)).not.toThrow();
    expect(() => read.assertDepth([items])).toThrow("nested");
  });
});

describe("a field named __proto__", () => {
  const poison = '{"isAdmin":true,"type":"interrupt","mode":"danger-full-access"}';

  test("changes no object and is not passed on", () => {
    const op = JSON.parse(
      `{"type":"user_input","items":[{"type":"text","text":"t","__proto__":${poison}}],"__proto__":${poison}}`,
    ) as unknown;

    const result = read.parseOp(op) as unknown as {
      isAdmin?: boolean;
      items: { isAdmin?: boolean }[];
    };

    expect([
      result.isAdmin,
      result.items[0]?.isAdmin,
      ({} as { isAdmin?: boolean }).isAdmin,
    ]).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(result)).not.toContain("isAdmin");
  });

  test("cannot stand in for a field that is missing", () => {
    const op = JSON.parse(`{"__proto__":${poison}}`) as unknown;

    expect(() => read.parseOp(op)).toThrow("op must be an object whose type is a string");
    expect(() => read.parseSandboxPolicy(op)).toThrow("sandbox_policy.mode must be a string");
  });

  test("in a map of file changes is left out", () => {
    const msg = JSON.parse(
      '{"type":"patch_apply_begin","call_id":"c","auto_approved":true,"changes":{"__proto__":{"add":{"content":"x"}}}}',
    ) as unknown;

    expect(read.parseEventMsg(msg)).toMatchObject({ changes: {} });
  });
});

describe("large input", () => {
  test("is read in one pass", () => {
    const items = Array.from({ length: 100_000 }, () => ({ type: "text", text: "x" }));

    expect(read.parseOp({ type: "user_input", items })).toEqual({ type: "user_input", items });
  });

  test("does not end up in the message that refuses it", () => {
    const long = "x".repeat(1_000_000);

    for (const op of [{ type: long }, { type: "exec_approval", id: "1", decision: long }]) {
      const error = attemptError(() => read.parseOp(op));
      expect(JSON.stringify([error.message, error.data]).length).toBeLessThan(500);
    }
  });

  test("stops at the first thing that is wrong", () => {
    const items = Array.from({ length: 100_000 }, () => 1);

    expect(() => read.parseOp({ type: "user_input", items })).toThrow(
      "op.items[0] must be an object",
    );
  });
});

function replaceOne(value: unknown, where: number, by: unknown): unknown {
  const text = JSON.stringify(value);
  let count = 0;
  JSON.parse(text, (_, part: unknown) => {
    count += 1;
    return part;
  });
  let left = where % count;
  return JSON.parse(text, (_, part: unknown) => (left-- === 0 ? by : part));
}

function attempt(parse: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}

function attemptError(run: () => unknown): CodexError {
  try {
    run();
  } catch (error) {
    if (error instanceof CodexError) return error;
  }
  throw new Error("nothing was refused");
}
