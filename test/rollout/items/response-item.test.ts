import { expect, test } from "vitest";
import { isUserMessage, webSearchQuery } from "../../../src/rollout/index.js";
import { message } from "../support.js";

test("context that the engine adds is not a user message", () => {
  const prefixes = [
    "<environment_context>x",
    "  <ENVIRONMENT_CONTEXT>x</environment_context>",
    "<user_instructions>x</user_instructions>",
    "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>",
    "<skill>\n<name>x</name>",
    "<user_shell_command>ls</user_shell_command>",
    "<turn_aborted>x</turn_aborted>",
  ];
  const messages = ["hello", "<skillful work>", "about <environment_context>", ""];

  expect(prefixes.map((text) => isUserMessage(message("user", text)))).toEqual(
    prefixes.map(() => false),
  );
  expect(messages.map((text) => isUserMessage(message("user", text)))).toEqual(
    messages.map(() => true),
  );
  expect(isUserMessage(message("assistant", "hello"))).toBe(false);
});

test("describes a web search briefly", () => {
  expect([
    webSearchQuery({ type: "search", query: "a" }),
    webSearchQuery({ type: "search", queries: ["a", "b"] }),
    webSearchQuery({ type: "search" }),
    webSearchQuery({ type: "open_page", url: "u" }),
    webSearchQuery({ type: "find_in_page", pattern: "p", url: "u" }),
    webSearchQuery({ type: "find_in_page", pattern: "p" }),
    webSearchQuery({ type: "find_in_page", url: "u" }),
    webSearchQuery({ type: "other" }),
    webSearchQuery(undefined),
  ]).toEqual(["a", "a ...", "", "u", "'p' in u", "'p'", "u", "", ""]);
});
