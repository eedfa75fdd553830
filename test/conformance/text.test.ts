import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Bindings } from "../../conformance/match/bindings.js";
import { matchText } from "../../conformance/match/text.js";

const A = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const B = "0199a213-81c0-7800-8aa1-bbab2a035a54";

function context() {
  const places = { workspace: "/ws", codexHome: "/codex", home: "/home", port: 4000 };
  return { bindings: new Bindings(), places, version: "0.42.0" };
}

test.each([
  ["plain", "plain", true],
  ["plain", "plain ", false],
  ["a.c", "abc", false],
  ["<WORKSPACE>/a.txt", "/ws/a.txt", true],
  ["<WORKSPACE>/a.txt", "/other/a.txt", false],
  ["<CODEX_HOME> <HOME> <PORT>", "/codex /home 4000", true],
  ["retrying 1/2 in <DELAY>…", "retrying 1/2 in 206ms…", true],
  ["retrying 1/2 in <DELAY>…", "retrying 1/2 soon…", false],
  ["codex_cli_rs/0.42.0 (<OS>) <TERM>", "codex_cli_rs/1.2.3 (Linux 6.1; x86_64) xterm", true],
  ["codex_cli_rs/0.42.0 (<OS>) <TERM>", "other/0.42.0 (Linux 6.1; x86_64) xterm", false],
  ["rollout-<TIME>-<UUID-1>.jsonl", `rollout-2025-01-02T03-04-05-${A}.jsonl`, true],
  ["<TIME>", "yesterday", false],
  ["sha256:<HASH>", "sha256:0af3", true],
  ["sha256:<HASH-1>, again <HASH-1>", "sha256:0af3, again 0af3", true],
  ["sha256:<HASH-1>, again <HASH-1>", "sha256:0af3, again 0af4", false],
  ["<prose>", "anything\nat all", true],
  ["<tag><prose></tag>", "<tag>\n  words\n</tag>\n", true],
  ["<tag><prose></tag>", "<tag>words", false],
  ['<prose>[contains: "Review the changes."]', "Please: Review the changes. Now.", true],
  ['<prose>[contains: "Review the changes."]', "Please look.", false],
  ['<prose>[contains: "first"]', "single words are chance", true],
  ['{"exit_code":0,"duration_seconds":0}', '{"exit_code":0,"duration_seconds":1.5}', true],
  ['{"exit_code":0,"duration_seconds":0}', '{"exit_code":1,"duration_seconds":0}', false],
  ["Wall time: 0 seconds", "Wall time: 0.0153 seconds", true],
])("the template %j and the text %j: %s", (template, text, agrees) => {
  expect(matchText(template, text, context())).toBe(agrees);
});

test("a numbered placeholder keeps its first value", () => {
  const run = context();

  expect(matchText("<UUID-1> and <UUID-1>", `${A} and ${B}`, run)).toBe(false);
  expect(matchText("<UUID-1> and <UUID-1>", `${A} and ${A}`, run)).toBe(true);
  expect(matchText("again <UUID-1>", `again ${B}`, run)).toBe(false);
  expect(matchText("again <UUID-1>", `again ${A}`, run)).toBe(true);
});

test("two placeholders never have the same value", () => {
  const run = context();

  expect(matchText("<UUID-1>", A, run)).toBe(true);
  expect(matchText("<UUID-2>", A, run)).toBe(false);
  expect(matchText("<UUID-2>", B, run)).toBe(true);
});

test("a truncated text is identified by its hash", () => {
  const whole = "y".repeat(5000);
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 12);
  const template = `yyy<CUT 4994 of 5000 chars, sha256 ${hash}>yyy`;

  expect(matchText(template, whole, context())).toBe(true);
  expect(matchText(template, `${whole}y`, context())).toBe(false);
});
