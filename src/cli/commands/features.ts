import { defineCommand } from "../command.js";

/** The switches of the program. */
export const features = defineCommand({
  name: "features",
  summary: "List the features that can be turned on and off",
  verbs: [
    {
      name: "list",
      summary: "List the features and whether each is on",
      load: async () => (await import("./features-list.js")).featuresList,
    },
    {
      name: "enable",
      summary: "Turn a feature on in config.toml",
      load: async () => (await import("./features-switch.js")).featuresEnable,
    },
    {
      name: "disable",
      summary: "Turn a feature off in config.toml",
      load: async () => (await import("./features-switch.js")).featuresDisable,
    },
  ],
  options: {},
  async run(_input, io) {
    const { featuresList } = await import("./features-list.js");
    return featuresList.run({ values: {} as never, positionals: [] }, io);
  },
});
