import { expect, test } from "vitest";
import {
  exitCodeOf,
  exitCodes,
  exitMeanings,
  Interrupted,
  UsageError,
} from "../../src/cli/exit-codes.js";
import { CodexError } from "../../src/protocol/error.js";

test.each([
  [new UsageError("x"), 2],
  [new Interrupted("SIGINT"), 130],
  [new CodexError("config", "x"), 3],
  [new CodexError("auth", "x"), 3],
  [new CodexError("model", "x"), 6],
  [new CodexError("io", "x"), 1],
  [new CodexError("not_found", "x"), 1],
  [new Error("x"), 1],
  ["text", 1],
])("%s ends with %i", (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

test("every exit code has a meaning and is used once", () => {
  expect(Object.keys(exitMeanings)).toEqual(Object.keys(exitCodes));
  expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
});
