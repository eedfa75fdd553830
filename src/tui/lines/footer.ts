import { homedir } from "node:os";
import type { Status } from "../state/status.js";
import { compactNumber } from "../text/count.js";
import { truncate, widthOf } from "../text/layout.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";

/** The line below the composer: what it works with, and how much room is left; or a hint instead. */
export function footerLines(status: Status, hint: string | undefined, view: View): string[] {
  const { theme, width } = view;
  if (hint !== undefined) return [truncate(`  ${theme.dim(hint)}`, width)];
  const { settings } = status;
  if (settings === undefined) return [""];
  const model = settings.effort ? `${settings.model} ${settings.effort}` : settings.model;
  const mode = settings.mode === "plan" ? [theme.accent("plan mode")] : [];
  const parts = [model, shortHome(settings.cwd), permissionsText(settings)].map((part) =>
    theme.dim(oneLine(part)),
  );
  const left = [...mode, ...parts].join(theme.dim(" · "));
  const right = meter(status, view);
  const gap = width - widthOf(left) - widthOf(right) - 4;
  if (gap < 1)
    return [truncate(`  ${right === "" ? left : `${right}${theme.dim(" · ")}${left}`}`, width)];
  return [`  ${left}${" ".repeat(gap)}${right}`];
}

function meter(status: Status, { theme }: View): string {
  const { usage } = status;
  if (usage === undefined) return "";
  const tokens = theme.dim(`${compactNumber(usage.total.totalTokens)} tokens`);
  const left = status.contextLeft();
  if (left === undefined) return tokens;
  const text = `${left}% context left`;
  const shown =
    left <= 10 ? theme.failure(text) : left <= 30 ? theme.warning(text) : theme.dim(text);
  return `${tokens}${theme.dim(" · ")}${shown}`;
}

/** What may be done without asking, in a few words. */
export function permissionsText({
  approval,
  sandbox,
}: {
  approval: string;
  sandbox: string;
}): string {
  if (sandbox === "danger-full-access") {
    return approval === "never" ? "full access" : `full access, asks ${approval}`;
  }
  return `${sandbox}, ${approval === "never" ? "never asks" : approval}`;
}

/** A path with the user's home folder as `~`. */
export function shortHome(path: string): string {
  const home = homedir();
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
