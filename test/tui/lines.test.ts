import { expect, test } from "vitest";
import { liveCellLines, pendingLines, workingLines } from "../../src/tui/lines/activity.js";
import { footerLines, permissionsText } from "../../src/tui/lines/footer.js";
import { PendingMessages } from "../../src/tui/state/pending-messages.js";
import { readRetry, Status } from "../../src/tui/state/status.js";
import { createTheme } from "../../src/tui/theme/theme.js";
import { plainView, unstyled } from "./view.js";

function status(): Status {
  const status = new Status();
  status.settings = {
    model: "gpt-5.1-codex",
    effort: "high",
    provider: "openai",
    cwd: "/project",
    approval: "on-request",
    sandbox: "workspace-write",
    mode: "default",
  };
  return status;
}

test("the working line shows the activity, its duration and how to interrupt it", () => {
  const now = status();
  expect(workingLines(now, undefined, plainView(60))).toEqual([]);
  now.turnStarted("t", 10_000 - 65_000);
  expect(unstyled(workingLines(now, "Reading", plainView(60)))).toEqual([
    "",
    "⠙ Reading (1m 05s · esc to interrupt)",
  ]);
  now.hooks.set("r", "Running PreToolUse hook");
  expect(unstyled(workingLines(now, "Reading", plainView(60)))[1]).toBe(
    "⠙ Running PreToolUse hook (1m 05s · esc to interrupt)",
  );
  now.hooks.delete("r");
  now.retry = readRetry("Reconnecting... 2/5", 7_000);
  expect(unstyled(workingLines(now, "Reading", plainView(80)))[1]).toBe(
    "⠙ Reconnecting... 2/5 (3s ago) (1m 05s · esc to interrupt)",
  );
  now.retry = readRetry("stream error: gone; retrying 2/5 in 8.5s…", 7_000);
  expect(unstyled(workingLines(now, "Reading", plainView(80)))[1]).toBe(
    "⠙ stream error: gone; retrying 2/5 in 6s (1m 05s · esc to interrupt)",
  );
});

test("the footer has the settings on the left and the context left on the right", () => {
  const now = status();
  const count = {
    totalTokens: 1_234_000,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  now.usage = { total: count, last: { ...count, totalTokens: 40_000 }, modelContextWindow: 52_000 };
  expect(unstyled(footerLines(now, undefined, plainView(110)))).toEqual([
    "  gpt-5.1-codex high · /project · workspace-write, on-request                1.23M tokens · 30% context left",
  ]);
  expect(unstyled(footerLines(now, "press again", plainView(40)))).toEqual(["  press again"]);
  expect(unstyled(footerLines(now, undefined, plainView(20)))).toEqual(["  workspace-write"]);
});

test.each([
  [
    110,
    "  gpt-5.1-codex high · /home/me/project · workspace-write, on-request         1.2K tokens · 87% context left",
  ],
  [
    92,
    "  gpt-5.1-codex high · /home/me/project · workspace-write, on-request     87% context left",
  ],
  [80, "  gpt-5.1-codex high · workspace-write, on-request            87% context left"],
  [70, "  gpt-5.1-codex high · workspace-write, on-request  87% context left"],
  [60, "  gpt-5.1-codex · workspace-write, on-request     87% left"],
  [50, "  gpt-5.1-codex high · workspace-write  87% left"],
  [40, "  gpt-5.1-codex high · workspace-write"],
  [30, "  workspace-write"],
  [10, "  workspa…"],
])("[terminal M6 R16] the status line contains the permissions at %i columns", (width, line) => {
  const now = status();
  const { settings } = now;
  if (settings !== undefined) settings.cwd = "/home/me/project";
  const count = {
    totalTokens: 1200,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  now.usage = {
    total: count,
    last: { ...count, totalTokens: 25_000 },
    modelContextWindow: 112_000,
  };
  expect(unstyled(footerLines(now, undefined, plainView(width)))).toEqual([line]);
});

test("[terminal M6 R16] the permissions have the color of their risk", () => {
  const now = status();
  const lineOf = (sandbox: string) => {
    if (now.settings !== undefined) now.settings.sandbox = sandbox;
    return footerLines(now, undefined, plainView(80, { theme: createTheme("dark") }))[0];
  };
  expect(lineOf("danger-full-access")).toContain("\x1b[1m\x1b[31mfull access");
  expect(lineOf("read-only")).toContain("\x1b[32mread-only");
  expect(lineOf("workspace-write")).toContain("\x1b[36mworkspace-write");
});

test("pending messages: steers and queued ones have different marks", () => {
  const pending = new PendingMessages();
  const draft = (text: string) => ({ text, images: [], skills: [] });
  pending.steer(draft("now\nplease"));
  pending.enqueue(draft("later"));
  expect(unstyled(pendingLines(pending, plainView(40)))).toEqual([
    "",
    "  ↳ now please",
    "  ◷ later",
    "    alt+↑ to edit the last one",
  ]);
});

test("permissions are summarized", () => {
  expect(permissionsText({ approval: "never", sandbox: "danger-full-access" })).toBe("full access");
  expect(permissionsText({ approval: "never", sandbox: "read-only" })).toBe(
    "read-only, never asks",
  );
});

test("running items never exceed the available rows", () => {
  const source = Array.from({ length: 50 }, (_, index) => `row ${index}  `).join("\n\n");
  const lines = liveCellLines(
    [
      { kind: "reasoning", text: source },
      { kind: "agent", source, isFirst: true, isTight: false },
    ],
    plainView(40),
    6,
  );
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(unstyled(lines).at(-1)).toBe("  row 49");
});
