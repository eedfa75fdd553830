import { expect, test } from "vitest";
import { liveCellLines, pendingLines, workingLines } from "../../src/tui/lines/activity.js";
import { permissionsText } from "../../src/tui/lines/footer.js";
import { defaultStatusItems } from "../../src/tui/lines/status-items.js";
import { statusLines } from "../../src/tui/lines/status-line.js";
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
    "● Reading (1m 05s · esc to interrupt)",
  ]);
  now.hooks.set("r", "Running PreToolUse hook");
  expect(unstyled(workingLines(now, "Reading", plainView(60)))[1]).toBe(
    "● Running PreToolUse hook (1m 05s · esc to interrupt)",
  );
  now.hooks.delete("r");
  now.retry = readRetry("Reconnecting... 2/5", 7_000);
  expect(unstyled(workingLines(now, "Reading", plainView(80)))[1]).toBe(
    "● Reconnecting... 2/5 (3s ago) (1m 05s · esc to interrupt)",
  );
  now.retry = readRetry("stream error: gone; retrying 2/5 in 8.5s…", 7_000);
  expect(unstyled(workingLines(now, "Reading", plainView(80)))[1]).toBe(
    "● stream error: gone; retrying 2/5 in 6s (1m 05s · esc to interrupt)",
  );
});

const items = defaultStatusItems;
const count = {
  totalTokens: 1200,
  inputTokens: 1000,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 200,
  reasoningOutputTokens: 0,
};

/** A session in which every default item of the status line has something to show. */
function busyStatus(): Status {
  const now = status();
  now.branch = "main";
  now.usage = {
    total: count,
    last: { ...count, totalTokens: 25_000 },
    modelContextWindow: 112_000,
  };
  now.budget = { session: { tokens: 12_000 } };
  now.agents.noted({ agentThreadId: "a", agentPath: "/root/a", kind: "started" }, 0);
  return now;
}

test.each([
  [
    120,
    "  workspace-write, on-request · gpt-5.1-codex high · main · ▰▰▰▰▰ 87% left · budget 10% · ● 1 agent",
  ],
  [90, "  workspace-write · gpt-5.1-codex high · main · ▰▰▰▰▰ 87% left · budget 10% · ● 1 agent"],
  [80, "  workspace-write · gpt-5.1-codex high · main · ▰▰▰▰▰ 87% left · budget 10%"],
  [64, "  workspace-write · gpt-5.1-codex high · main · ▰▰▰▰▰ 87% left"],
  [60, "  workspace-write · gpt-5.1-codex high · main"],
  [40, "  workspace-write · gpt-5.1-codex high"],
  [30, "  workspace-write"],
  [10, "  workspa…"],
])("[terminal M6 R16] the status line drops items from the right at %i columns", (width, line) => {
  expect(unstyled(statusLines(busyStatus(), { items }, plainView(width)))).toEqual([line]);
});

test("[terminal M6 R16] the permissions are kept wherever they are in the status line", () => {
  const order = ["model-with-reasoning", "git-branch", "permissions"] as const;
  const at = (width: number) =>
    unstyled(statusLines(busyStatus(), { items: order }, plainView(width)))[0];
  expect(at(80)).toBe("  gpt-5.1-codex high · main · workspace-write, on-request");
  expect(at(40)).toBe("  gpt-5.1-codex high · workspace-write");
  expect(at(24)).toBe("  workspace-write");
});

test("a hint replaces the status line, and the mode of the vim keys is first in it", () => {
  const now = busyStatus();
  const lines = (more: object) =>
    unstyled(statusLines(now, { items: ["model"], ...more }, plainView(60)));
  expect(lines({ hint: "press again" })).toEqual(["  press again"]);
  expect(lines({ mode: "NORMAL" })).toEqual(["  NORMAL · gpt-5.1-codex"]);
});

test("[terminal M6 R16] the mode has the color of its risk", () => {
  const now = status();
  const theme = createTheme({ name: "dark", depth: "16" });
  const lineOf = (settings: object) => {
    if (now.settings !== undefined) Object.assign(now.settings, settings);
    return statusLines(now, { items }, plainView(80, { theme }))[0];
  };
  expect(lineOf({ sandbox: "danger-full-access" })).toContain("\x1b[1m\x1b[31mfull access");
  expect(lineOf({ sandbox: "read-only" })).toContain("\x1b[32mread-only");
  expect(lineOf({ sandbox: "workspace-write" })).toContain("\x1b[36mworkspace-write");
  expect(lineOf({ mode: "plan" })).toContain("\x1b[1m\x1b[35mplan mode");
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
