import { homedir } from "node:os";
import { basename } from "node:path";
import type { Settings } from "../state/settings.js";
import type { Status } from "../state/status.js";
import { truncate, widthOf } from "../text/layout.js";
import { compactNumber } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import type { Style, Theme } from "../theme/theme.js";
import type { View } from "../view.js";

/**
 * Renders the status line below the composer: model, folder, permissions and context left; or a
 * hint.
 *
 * On a narrow screen the least important parts are dropped first; the permissions are cut last.
 */
export function footerLines(status: Status, hint: string | undefined, view: View): string[] {
  const { theme, width } = view;
  if (hint !== undefined) return [truncate(`  ${theme.dim(hint)}`, width)];
  const { settings } = status;
  if (settings === undefined) return [""];
  const room = width - 4;
  for (const { left, right } of variants(status, settings, view)) {
    const gap = room - widthOf(left) - widthOf(right);
    if (gap >= (right === "" ? -2 : 1))
      return [`  ${left}${" ".repeat(Math.max(0, gap))}${right}`.trimEnd()];
  }
  return [truncate(`  ${modeText(settings, true, theme)}`, width)];
}

/** Yields the status line from its longest to its shortest form. */
function* variants(status: Status, settings: Settings, { theme }: View) {
  const plan = settings.mode === "plan" ? [theme.accent("plan mode")] : [];
  const model = [settings.model, settings.effort].filter(Boolean).join(" ");
  const folder = shortHome(settings.cwd);
  const left = (...parts: string[]) =>
    [...plan, ...parts.map((part) => theme.dim(oneLine(part)))].join(theme.dim(" · "));
  const withMode = (text: string, isShort = false) =>
    [text, modeText(settings, isShort, theme)].filter(Boolean).join(theme.dim(" · "));
  const context = contextText(status, theme, " context left");
  const short = contextText(status, theme, " left");
  const tokens = tokensText(status, theme);
  const whole = withMode(left(model, folder));
  yield { left: whole, right: [tokens, context].filter(Boolean).join(theme.dim(" · ")) };
  yield { left: whole, right: context };
  yield { left: withMode(left(model, `…/${basename(folder)}`)), right: context };
  yield { left: withMode(left(model)), right: context };
  yield { left: withMode(left(model)), right: short };
  yield { left: withMode(left(settings.model)), right: short };
  yield { left: withMode(left(model), true), right: short };
  yield { left: withMode(left(model), true), right: "" };
  yield { left: withMode(left(), true), right: "" };
}

function tokensText({ usage }: Status, theme: Theme): string {
  return usage === undefined ? "" : theme.dim(`${compactNumber(usage.total.totalTokens)} tokens`);
}

function contextText(status: Status, theme: Theme, unit: string): string {
  const left = status.contextLeft();
  if (left === undefined) return "";
  const style = left <= 10 ? theme.failure : left <= 30 ? theme.warning : theme.dim;
  return style(`${left}%${unit}`);
}

/** Formats the permissions in the color of their risk. */
function modeText(settings: Settings, isShort: boolean, theme: Theme): string {
  const text = isShort ? sandboxText(settings.sandbox) : permissionsText(settings);
  return sandboxStyle(settings.sandbox, theme)(oneLine(text));
}

/** Returns the color of a sandbox mode by its risk. */
function sandboxStyle(sandbox: string, theme: Theme): Style {
  if (sandbox === "danger-full-access") return (text) => theme.bold(theme.failure(text));
  return sandbox === "read-only" ? theme.success : theme.accent;
}

function sandboxText(sandbox: string): string {
  return sandbox === "danger-full-access" ? "full access" : sandbox;
}

/** Formats permissions: `workspace-write, on-request`, `full access`. */
export function permissionsText({
  approval,
  sandbox,
}: Pick<Settings, "approval" | "sandbox">): string {
  if (approval === "never") {
    return sandbox === "danger-full-access" ? "full access" : `${sandbox}, never asks`;
  }
  return `${sandboxText(sandbox)}, ${approval}`;
}

/** Abbreviates the user's home folder as `~`. */
export function shortHome(path: string): string {
  const home = homedir();
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
