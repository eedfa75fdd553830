import { saveSettings } from "../session/save-settings.js";
import { printError, printNotice, type SlashCommand } from "./command.js";

/** `/experimental` */
export const experimental: SlashCommand = {
  name: "experimental",
  summary: "Switch features on or off",
  isAlwaysReady: true,
  async run(context) {
    const { server, ui } = context;
    const { data } = await server.request("experimentalFeature/list", { limit: 200 });
    const features = data.filter(({ stage }) => stage !== "removed");
    const feature = await ui.pick({
      title: "Features",
      text: "Select one to switch it; new sessions use it.",
      isSearched: true,
      choices: features.map((each) => ({
        value: each,
        label: `${each.enabled ? "☑" : "☐"} ${each.name}`,
        description: [stages[each.stage], each.description].filter(Boolean).join(" · "),
      })),
    });
    if (feature === undefined) return;
    const { name, enabled } = feature;
    try {
      await saveSettings(server, { [`features.${name}`]: !enabled });
      printNotice(context, `${name} is ${enabled ? "off" : "on"}`, "New sessions use it");
    } catch (error) {
      printError(context, `Could not switch ${name}`, error);
    }
  },
};

const stages: Readonly<Record<string, string>> = {
  beta: "experimental",
  underDevelopment: "under development",
  deprecated: "deprecated",
};
