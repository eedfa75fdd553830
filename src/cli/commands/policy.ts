import { defineCommand } from "../command.js";
import { UsageError } from "../usage-error.js";

/** Says what the approval policy, the lists and the rules make of a command. */
export const policy = defineCommand({
  name: "policy",
  summary: "Say what would happen to a command, and which rule decides it",
  operands: "explain [OPTIONS] -- CMD…",
  options: {},
  raw: true,
  details: "`quire policy explain --help` names the options.",
  async run({ positionals: [verb, ...rest] }, io) {
    if (verb !== "explain") {
      throw new UsageError("policy has one verb: quire policy explain -- CMD…");
    }
    const [{ runPolicyExplain }, { loadConfig, trustLevelOf }] = await Promise.all([
      import("./policy-explain.js"),
      import("../../config/index.js"),
    ]);
    const config = await loadConfig(io);
    const isTrusted = async (folder: string) => trustLevelOf(config, folder) === "trusted";
    return runPolicyExplain(rest, { ...io, isTrusted });
  },
});
