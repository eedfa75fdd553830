import { homedir } from "node:os";
import type { Settings } from "../state/settings.js";
import { oneLine } from "../text/sanitize.js";
import type { Style, Theme } from "../theme/theme.js";

/** Formats the permissions in the color of their risk. */
export function modeText(settings: Settings, isShort: boolean, theme: Theme): string {
  if (settings.mode === "plan") return theme.bold(theme.hunk("plan mode"));
  const text = isShort ? sandboxText(settings.sandbox) : permissionsText(settings);
  return sandboxStyle(settings.sandbox, theme)(oneLine(text));
}

/** Returns the color of a sandbox mode by its risk. */
function sandboxStyle(sandbox: string, theme: Theme): Style {
  if (sandbox === "danger-full-access") return (text) => theme.bold(theme.failure(text));
  return sandbox === "read-only" ? theme.success : theme.name;
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
