import { defineCommand } from "../command.js";
import { UsageError } from "../main.js";

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
    const { runPolicyExplain } = await import("./policy-explain.js");
    return runPolicyExplain(rest, io);
  },
});
