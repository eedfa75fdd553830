import type { CommandContext } from "../commands/command.js";
import type { Attention, NotificationChoice } from "../host/attention.js";
import type { ThemeChoice } from "../theme/choose.js";

interface UserConfig {
  tui?: { notifications?: unknown; theme?: unknown } | null;
}

const themes: readonly ThemeChoice[] = ["auto", "dark", "light", "mono"];

/** Takes up what the user's config says of the terminal UI; other programs' values are passed over. */
export async function applyUserSettings(
  { server, chooseTheme }: CommandContext,
  attention: Attention,
): Promise<void> {
  const answer = await server.request("config/read", {}).catch(() => undefined);
  const { tui } = (answer?.config ?? {}) as UserConfig;
  const { notifications, theme } = tui ?? {};
  if (typeof notifications === "boolean" || isNames(notifications)) {
    attention.choice = notifications as NotificationChoice;
  }
  const choice = themes.find((name) => name === theme);
  if (choice !== undefined) chooseTheme(choice);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
