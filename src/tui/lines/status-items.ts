import { basename } from "node:path";
import type { Status } from "../state/status.js";
import { compactNumber, counted, priceText } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import { marks } from "../theme/marks.js";
import type { Style, Theme } from "../theme/theme.js";
import type { RateLimitWindow } from "../wire.js";
import { modeText, shortHome } from "./footer.js";

/** An item of the status line: its description, and its text, empty if there is nothing to show. */
export interface StatusItem {
  help: string;
  text(status: Status, theme: Theme): string;
}

/** All items of the status line, with the names of the reference where it has them. */
export const statusItems = {
  permissions: {
    help: "Permissions, in the color of their risk; or plan mode",
    text: ({ settings }, theme) => (settings === undefined ? "" : modeText(settings, false, theme)),
  },
  "model-with-reasoning": {
    help: "Model and reasoning effort",
    text: ({ settings }, theme) => dimmed(theme, settings?.model, settings?.effort),
  },
  model: { help: "Model", text: ({ settings }, theme) => dimmed(theme, settings?.model) },
  reasoning: {
    help: "Reasoning effort",
    text: ({ settings }, theme) => dimmed(theme, settings?.effort),
  },
  "git-branch": { help: "Git branch", text: ({ branch }, theme) => dimmed(theme, branch) },
  "current-dir": {
    help: "Folder of the session",
    text: ({ settings }, theme) => dimmed(theme, shortHome(settings?.cwd ?? "")),
  },
  "project-name": {
    help: "Name of that folder",
    text: ({ settings }, theme) => dimmed(theme, basename(settings?.cwd ?? "")),
  },
  "context-remaining": {
    help: "Free part of the context window, as a bar",
    text: (status, theme) => contextText(status.contextLeft(), theme),
  },
  "context-used": {
    help: "Used part of the context window",
    text: (status, theme) => {
      const left = status.contextLeft();
      return left === undefined ? "" : theme.dim(`${100 - left}% context used`);
    },
  },
  "context-window-size": {
    help: "Size of the context window",
    text: ({ usage }, theme) => {
      const size = usage?.modelContextWindow;
      return size ? theme.dim(`${compactNumber(size)} window`) : "";
    },
  },
  "used-tokens": {
    help: "Tokens of the session",
    text: ({ usage }, theme) => tokens(theme, usage?.total.totalTokens, "tokens"),
  },
  "total-input-tokens": {
    help: "Input tokens of the session",
    text: ({ usage }, theme) => tokens(theme, usage?.total.inputTokens, "in"),
  },
  "total-output-tokens": {
    help: "Output tokens of the session",
    text: ({ usage }, theme) => tokens(theme, usage?.total.outputTokens, "out"),
  },
  "estimated-thread-cost": {
    help: "Cost of the session, if the prices are known",
    text: ({ cost }, theme) => (cost ? theme.dim(priceText(cost)) : ""),
  },
  budget: {
    help: "Used part of the tightest budget of the session",
    text: (status, theme) => budgetText(status.budgetUsed(), theme),
  },
  agents: {
    help: "Helper agents at work",
    text: ({ agents }, theme) => agentsText(agents.active, theme),
  },
  "five-hour-limit": {
    help: "Rest of the 5-hour limit of your plan",
    text: ({ limits }, theme) => limitText(limits?.primary, "5h", theme),
  },
  "weekly-limit": {
    help: "Rest of the weekly limit of your plan",
    text: ({ limits }, theme) => limitText(limits?.secondary, "week", theme),
  },
  "task-progress": {
    help: "Completed steps of the plan",
    text: ({ plan }, theme) => {
      const done = plan.filter(({ status }) => status === "completed").length;
      return plan.length === 0 ? "" : theme.dim(`${done}/${plan.length} steps`);
    },
  },
  "run-state": {
    help: "Idle, running or waiting",
    text: (status, theme) => {
      const { mark, word } = runState(status);
      return (word === "waiting" ? theme.accent : theme.dim)(`${mark} ${word}`.trim());
    },
  },
  "thread-title": {
    help: "Name of the session",
    text: ({ threadName }, theme) => dimmed(theme, threadName),
  },
  "thread-id": {
    help: "Id of the session",
    text: ({ threadId }, theme) => dimmed(theme, threadId),
  },
  "approval-mode": {
    help: "Approval policy",
    text: ({ settings }, theme) => dimmed(theme, settings?.approval),
  },
} as const satisfies Readonly<Record<string, StatusItem>>;

/** Name of an item of the status line. */
export type StatusItemName = keyof typeof statusItems;

/** Items shown unless `tui.status_line` names others. */
export const defaultStatusItems: readonly StatusItemName[] = [
  "permissions",
  "model-with-reasoning",
  "git-branch",
  "context-remaining",
  "budget",
  "agents",
];

/** Items of the reference that show what this program does not have. */
export const absentStatusItems: readonly string[] = [
  "branch-changes",
  "codex-version",
  "fast-mode",
  "profile",
  "pull-request-number",
  "raw-output",
  "thread-credits",
  "workspace-headline",
];

/** State of the session, with the mark that also the terminal title has. */
export function runState(status: Status): { mark: string; word: string } {
  if (status.pending !== undefined) return { mark: marks.waiting, word: "waiting" };
  if (status.isWorking) return { mark: marks.running, word: "running" };
  if (status.hasFailed) return { mark: marks.failed, word: "failed" };
  return status.hasTurns ? { mark: marks.done, word: "done" } : { mark: "", word: "ready" };
}

/** Returns the permissions in their shortest form, for a narrow screen. */
export function shortPermissions({ settings }: Status, theme: Theme): string {
  return settings === undefined ? "" : modeText(settings, true, theme);
}

function dimmed(theme: Theme, ...parts: (string | null | undefined)[]): string {
  return theme.dim(oneLine(parts.filter(Boolean).join(" ")));
}

function tokens(theme: Theme, count: number | undefined, unit: string): string {
  return count === undefined ? "" : theme.dim(`${compactNumber(count)} ${unit}`);
}

/** Cells of the bar of the context window. */
const barCells = 5;

function contextText(left: number | undefined, theme: Theme): string {
  if (left === undefined) return "";
  const filled = Math.ceil((left / 100) * barCells);
  const bar = "▰".repeat(filled) + "▱".repeat(barCells - filled);
  return levelStyle(100 - left, theme)(`${bar} ${left}% left`);
}

function budgetText(used: number | undefined, theme: Theme): string {
  return used === undefined ? "" : levelStyle(used, theme)(`budget ${Math.floor(used)}%`);
}

/** Returns the style of a used share in percent. */
function levelStyle(used: number, theme: Theme): Style {
  return used >= 90 ? theme.failure : used >= 70 ? theme.warning : theme.dim;
}

function agentsText(active: Status["agents"]["active"], theme: Theme): string {
  const waiting = active.filter(({ state }) => state === "waiting").length;
  if (active.length === 0) return "";
  const running = `${marks.running} ${counted(active.length, "agent")}`;
  return waiting === 0
    ? theme.dim(running)
    : `${theme.dim(running)} ${theme.accent(`${marks.waiting} ${waiting} waiting`)}`;
}

function limitText(window: RateLimitWindow | null | undefined, name: string, theme: Theme) {
  if (!window) return "";
  return levelStyle(window.usedPercent, theme)(`${name} ${Math.round(100 - window.usedPercent)}%`);
}
