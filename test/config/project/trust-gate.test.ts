import { expect, test } from "vitest";
import { mayBring, projectContents } from "../../../src/config/index.js";

test.each([
  ["settings", true, false, false],
  ["mcpServers", true, false, false],
  ["skills", true, false, false],
  ["allowRules", true, false, false],
  ["strictRules", true, true, true],
  ["instructions", true, true, true],
  ["hooks", true, false, false],
  ["prompts", false, false, false],
  ["agents", true, false, false],
] as const)("%s: trusted %s, undecided %s, untrusted %s", (kind, trusted, undecided, untrusted) => {
  expect([
    mayBring(kind, "trusted"),
    mayBring(kind, undefined),
    mayBring(kind, "untrusted"),
  ]).toEqual([trusted, undecided, untrusted]);
});

test("every kind of content is in the table above", () => {
  expect(Object.keys(projectContents)).toHaveLength(9);
});
