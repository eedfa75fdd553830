import { expect, test } from "vitest";
import { errorCode, errorText } from "../../src/lib/errors.js";

test.each([
  [new Error("broken"), "broken", undefined],
  [Object.assign(new Error("missing"), { code: "ENOENT" }), "missing", "ENOENT"],
  [new TypeError("wrong"), "wrong", undefined],
  ["text", "text", undefined],
  [{ code: "ENOENT" }, "[object Object]", undefined],
  [undefined, "undefined", undefined],
])("%o has the text %j and the code %j", (thrown, text, code) => {
  expect([errorText(thrown), errorCode(thrown)]).toEqual([text, code]);
});
