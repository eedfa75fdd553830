import { expect, test } from "vitest";
import { readScript } from "../../src/cells/pragma.js";

const fields = "`yield_time_ms` and `max_output_tokens`";

test.each([
  ["text(1)", { source: "text(1)" }],
  ['// @exec: {"yield_time_ms": 5}\ntext(1)', { source: "text(1)", yieldMs: 5 }],
  ['// @exec: {"max_output_tokens": 0}\r\nx', { source: "x", maxTokens: 0 }],
  ["// @exec\ntext(1)", { source: "// @exec\ntext(1)" }],
  ['\n// @exec: {"yield_time_ms": 5}', { source: '\n// @exec: {"yield_time_ms": 5}' }],
  [
    '// @exec: {"yield_time_ms": 0, "max_output_tokens": 9007199254740991}\nx',
    { source: "x", yieldMs: 0, maxTokens: Number.MAX_SAFE_INTEGER },
  ],
  ["// @exec:{}\nx", { source: "x" }],
  ['// @exec: {"yield_time_ms": 1.0}\n\n  x\n', { source: "\n  x\n", yieldMs: 1 }],
  ["// @exec: {}\n// @exec: {}\nx", { source: "// @exec: {}\nx" }],
  [" // @exec: {broken\nx", { source: " // @exec: {broken\nx" }],
  ["//@exec: {broken\nx", { source: "//@exec: {broken\nx" }],
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
  ["", "exec needs a script"],
  ["// @exec: {}", "exec pragma must be followed by JavaScript source"],
  ["// @exec: {}\n \t\n", "exec pragma must be followed by JavaScript source"],
  ["// @exec:   \nx", "exec pragma must be a JSON object"],
  ["// @exec: null\nx", "exec pragma must be a JSON object"],
  ['// @exec: "a"\nx', "exec pragma must be a JSON object"],
  ["// @exec: 5\nx", "exec pragma must be a JSON object"],
  ['// @exec: {"max_output_tokens": 1.5}\nx', "safe integers: invalid number"],
  ['// @exec: {"max_output_tokens": 9007199254740992}\nx', "safe integers: invalid number"],
  ['// @exec: {"max_output_tokens": 1e400}\nx', "safe integers: invalid number"],
  ['// @exec: {"max_output_tokens": [1]}\nx', "invalid type: sequence, expected u64"],
  ['// @exec: {"yield_time_ms": 1, "__proto__": 2}\nx', "got `__proto__`"],
  ['// @exec: {"Yield_time_ms": 1}\nx', "got `Yield_time_ms`"],
])("%j is a mistake: %s", (input, message) => {
  expect(readScript(input)).toContain(message);
});
