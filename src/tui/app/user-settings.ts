import { type CommandContext, printWarning } from "../commands/command.js";
import type { NotificationChoice } from "../host/attention.js";
import { defaultTitleItems } from "../host/terminal-title.js";
import { readItems } from "../lines/read-items.js";
import { defaultStatusItems, type StatusItemName } from "../lines/status-items.js";
import type { BudgetLimits } from "../state/status.js";
import { type ThemeChoice, themeChoices } from "../theme/theme.js";
import type { Program } from "./program.js";

/** The settings that the terminal UI reads from the config. */
interface UserConfig {
  tui?: {
    notifications?: unknown;
    theme?: unknown;
    animations?: unknown;
    status_line?: unknown;
    status_line_use_colors?: unknown;
    terminal_title?: unknown;
    vim_mode_default?: unknown;
    keymap?: unknown;
  } | null;
  budget?: BudgetLimits | null;
}

/** Applies the `tui` settings of config.toml; warns about values that it does not know. */
export async function applyUserSettings(program: Program): Promise<void> {
  const { context, main, attention, title } = program;
  const answer = await context.server.request("config/read", {}).catch(() => undefined);
  const { tui, budget } = (answer?.config ?? {}) as UserConfig;
  const { ui, session } = context;
  const { notifications, theme, animations } = tui ?? {};
  if (typeof notifications === "boolean" || isNames(notifications)) {
    attention.choice = notifications as NotificationChoice;
  }
  applyTheme(context, theme);
  ui.isStill = animations === false;
  session.conversation.status.budget = budget ?? {};
  main.isColored = tui?.status_line_use_colors !== false;
  main.items = itemsOf(context, "tui.status_line", tui?.status_line, defaultStatusItems);
  title.items = itemsOf(context, "tui.terminal_title", tui?.terminal_title, defaultTitleItems);
  if (tui?.keymap != null) {
    const { applyKeymap, readKeymap } = await import("../keymap/keymap.js");
    const { keymap, problems } = readKeymap(tui.keymap);
    for (const { text, hint } of problems) printWarning(context, text, hint);
    program.keymap = keymap;
    applyKeymap(keymap);
  }
  if (tui?.vim_mode_default === true) await context.useVim(true);
}

function applyTheme(context: CommandContext, theme: unknown): void {
  if (theme === undefined || theme === null) return;
  const choices = Object.keys(themeChoices) as ThemeChoice[];
  const choice = choices.find((name) => name === theme);
  if (choice !== undefined) context.chooseTheme(choice);
  else {
    const text = `Unknown \`tui.theme\` ${JSON.stringify(theme)}, using "auto"`;
    printWarning(context, text, `Expected one of ${choices.join(", ")}`);
  }
}

/** Reads a list of items; warns about each name that it does not know. */
function itemsOf(
  context: CommandContext,
  key: string,
  value: unknown,
  otherwise: readonly StatusItemName[],
): readonly StatusItemName[] {
  if (!isNames(value)) return otherwise;
  const { items, problems } = readItems(value, `\`${key}\``);
  for (const { text, hint } of problems) printWarning(context, text, hint);
  return items;
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
