import type { Status } from "../state/status.js";
import { truncate, widthOf } from "../text/layout.js";
import type { View } from "../view.js";
import { type StatusItemName, shortPermissions, statusItems } from "./status-items.js";

/** What the status line shows besides the state of the session. */
export interface StatusLine {
  items: readonly StatusItemName[];
  /** Shown instead of the items, such as "press ctrl+c again to quit". */
  hint?: string | undefined;
  /** Shown before the items: the mode of the vim keys. */
  mode?: string | undefined;
}

/**
 * Renders the status line below the composer.
 *
 * If it does not fit, items are dropped from the right; the permissions are dropped never, and cut
 * last.
 */
export function statusLines(status: Status, line: StatusLine, view: View): string[] {
  const { theme, width } = view;
  if (line.hint !== undefined) return [truncate(`  ${theme.dim(line.hint)}`, width)];
  if (status.settings === undefined) return [""];
  const room = Math.max(1, width - 2);
  const items = line.items.map((name) => ({ name, text: statusItems[name].text(status, theme) }));
  const shown = items.filter(({ text }) => text !== "");
  const mode = line.mode === undefined ? [] : [theme.bold(line.mode)];
  const joined = () => [...mode, ...shown.map(({ text }) => text)].join(theme.dim(" · "));
  if (widthOf(joined()) > room) {
    const permissions = shown.find(({ name }) => name === "permissions");
    if (permissions !== undefined) permissions.text = shortPermissions(status, theme);
  }
  while (widthOf(joined()) > room && shown.length > 1) {
    const last = shown.findLastIndex(({ name }) => name !== "permissions");
    shown.splice(last, 1);
  }
  return [truncate(`  ${joined()}`, width)];
}
