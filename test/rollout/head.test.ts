import { expect, test } from "vitest";
import { type RolloutHead, toThreadFacts } from "../../src/rollout/head.js";

function previewOf(userMessage: string): string | undefined {
  const meta = { id: "x", timestamp: "", cwd: "/", cli_version: "", originator: "" };
  const head = { meta, userMessage, hasUserEvent: true } as unknown as RolloutHead;
  return toThreadFacts(head)?.preview;
}

const note = (results: string) =>
  `<user_action>\n  <context>The user had the changes reviewed.</context>\n  <action>review</action>\n  <results>\n  ${results}\n  </results>\n</user_action>`;

test.each([
  [note("One bug.\n\n- more"), "Code review: One bug."],
  [note("None."), "Code review"],
  ["<user_action> is a tag", "<user_action> is a tag"],
  ["fix it", "fix it"],
])("[terminal R9] a session that starts with %j is titled %j", (message, title) => {
  expect(previewOf(message)).toBe(title);
});
