import { nearest } from "../../lib/nearest.js";
import { saveSettings } from "../session/save-settings.js";
import { type ThemeChoice, themeChoices } from "../theme/theme.js";
import { printError, type SlashCommand } from "./command.js";

/** `/theme` */
export const theme: SlashCommand = {
  name: "theme",
  summary: "Select a color theme",
  operands: `[${Object.keys(themeChoices).join("|")}]`,
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui, server, chooseTheme } = context;
    const names = Object.keys(themeChoices) as ThemeChoice[];
    const named = names.find((name) => name === operands);
    if (operands !== "" && named === undefined) {
      const near = nearest(operands, names);
      const hint = near === undefined ? "" : `. Did you mean ${near}?`;
      const text = `Unknown theme ${JSON.stringify(operands)}. Expected one of ${names.join(", ")}`;
      printError(context, `${text}${hint}`);
      return;
    }
    const choices = names.map((value) => ({
      value,
      label: value,
      description: themeChoices[value],
    }));
    const chosen = named ?? (await ui.pick({ title: "Select a theme", choices }));
    if (chosen === undefined) return;
    chooseTheme(chosen);
    await saveSettings(server, { "tui.theme": chosen }).catch((error: unknown) => {
      printError(context, "The theme is used now, but could not be saved to config.toml", error);
    });
  },
};
