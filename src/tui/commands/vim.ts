import { saveSettings } from "../session/save-settings.js";
import { printError, printNotice, type SlashCommand } from "./command.js";

/** `/vim` */
export const vim: SlashCommand = {
  name: "vim",
  summary: "Switch the vim keys of the composer on or off",
  operands: "[on|off]",
  isAlwaysReady: true,
  async run(context, operands) {
    if (!/^(?:on|off|)$/.test(operands)) {
      printError(context, `Expected on or off after /vim (got ${JSON.stringify(operands)})`);
      return;
    }
    const isOn = operands === "" ? context.composer.vimMode === undefined : operands === "on";
    await context.useVim(isOn);
    printNotice(context, isOn ? "Vim keys are on. Esc starts commands" : "Vim keys are off");
    await saveSettings(context.server, { "tui.vim_mode_default": isOn }).catch((error: unknown) => {
      printError(context, "The choice could not be saved to config.toml", error);
    });
  },
};
