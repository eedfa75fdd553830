import { expect, test } from "vitest";
import { readScript } from "../../src/cells/pragma.js";

const fields = "`yield_time_ms` and `max_output_tokens`";

test.each([
  ["text(1)", { source: "text(1)" }],
  ['// @exec: {"yield_time_ms": 5}\ntext(1)', { source: "text(1)", yieldMs: 5 }],
  ['// @exec: {"max_output_tokens": 0}\r\nx', { source: "x", maxTokens: 0 }],
  ["// @exec\ntext(1)", { source: "// @exec\ntext(1)" }],
  ['\n// @exec: {"yield_time_ms": 5}', { source: '\n// @exec: {"yield_time_ms": 5}' }],
])("%j is a script", (input, expected) => {
  expect(readScript(input)).toEqual(expected);
});

test.each([
  [" \n", "exec needs a script"],
  ["// @exec: {}\n", "exec pragma must be followed by JavaScript source"],
  ["// @exec:\nx", "exec pragma must be a JSON object"],
  ["// @exec: [1]\nx", "exec pragma must be a JSON object"],
  ["// @exec: {broken\nx", `with supported fields ${fields}: key must be a string at line 1`],
  ['// @exec: {"a": 1}\nx', `exec pragma only supports ${fields}; got \`a\``],
  ['// @exec: {"yield_time_ms": -1}\nx', "must be non-negative safe integers: invalid number"],
  ['// @exec: {"yield_time_ms": "5"}\nx', 'invalid type: string "5", expected u64'],
  ['// @exec: {"yield_time_ms": null}\nx', "invalid type: null, expected u64"],
])("%j is a mistake: %s", (input, message) => {
  expect(readScript(input)).toContain(message);
});
