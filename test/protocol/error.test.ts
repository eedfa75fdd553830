import { expect, test } from "vitest";
import { CodexError } from "../../src/protocol/error.js";

test("an error carries its code, its facts and its cause", () => {
  const cause = new Error("disk full");

  const error = new CodexError("io", "Could not write a.txt", { data: { path: "a.txt" }, cause });

  expect(error).toBeInstanceOf(Error);
  expect({ ...error, message: error.message, cause: error.cause }).toEqual({
    name: "CodexError",
    code: "io",
    data: { path: "a.txt" },
    message: "Could not write a.txt",
    cause,
  });
});

test("an error without facts or cause has neither", () => {
  const error = new CodexError("internal", "Oops");

  expect(error.data).toBeUndefined();
  expect("cause" in error).toBe(false);
});
