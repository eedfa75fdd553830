import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";

/** Reports tokens and costs of the recorded sessions. */
export const usage = defineCommand({
  name: "usage",
  summary: "Show tokens and costs of the recorded sessions",
  options: {
    by: {
      type: "string",
      value: "GROUP",
      choices: ["day", "model", "project", "thread"],
      default: "day",
      help: "Group by this",
    },
    json: { type: "boolean", help: "Print JSON" },
  },
  details: [
    "Read from the rollouts alone, archived ones included. Costs are in US dollars, by the known",
    "prices and `model_prices` of the config; `?` if the price of a model is not known.",
  ].join("\n"),
  async run({ values }, io) {
    const [{ codexHome, loadConfig }, { readUsage }, { groupUsage, usageTable }] =
      await Promise.all([
        import("../../config/index.js"),
        import("../../rollout/index.js"),
        import("../../model/usage-costs.js"),
      ]);
    const config = await loadConfig({ env: io.env, cwd: io.cwd });
    const records = await readUsage(codexHome(io.env));
    const by = values.by as "day" | "model" | "project" | "thread";
    const grouped = groupUsage(records, by, config.settings.model_prices);
    io.stdout.write(
      values.json ? `${JSON.stringify({ by, ...grouped })}\n` : usageTable(by, grouped),
    );
    return exitCodes.ok;
  },
});
