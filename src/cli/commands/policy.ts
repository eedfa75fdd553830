import { defineCommand } from "../command.js";
import { requireEra } from "../era.js";
import { UsageError } from "../usage-error.js";

/** What the policies make of things. */
export const policy = defineCommand({
  name: "policy",
  summary: "Say what would happen to a command, and which rule decides it",
  verbs: [
    {
      name: "explain",
      summary: "Say what would happen to a command, and why",
      load: async () => explain,
    },
  ],
  options: {},
  async run() {
    throw new UsageError("policy has one verb: quire policy explain -- CMD…");
  },
});

const explain = defineCommand({
  name: "policy explain",
  summary: "Say what would happen to a command, and why",
  operands: "-- CMD…",
  options: {
    "approval-policy": {
      type: "string",
      value: "POLICY",
      choices: ["untrusted", "on-failure", "on-request", "never"],
      help: "When you are asked",
    },
    sandbox: {
      type: "string",
      value: "MODE",
      choices: ["read-only", "workspace-write", "danger-full-access"],
      help: "What commands may do",
    },
    escalated: { type: "boolean", help: "As if the model asked to leave the sandbox" },
    json: { type: "boolean", help: "Write it as JSON" },
  },
  raw: true,
  details: "Nothing is run. One quoted line is taken as a script, as a model would send it.",
  async run({ positionals }, io) {
    const [{ runPolicyExplain }, settings, { knowledgeOf }] = await Promise.all([
      import("./policy-explain.js"),
      import("../../config/index.js"),
      import("../../tools/exec/knowledge.js"),
    ]);
    const { loadConfig, mayBring, trustLevelOf } = settings;
    const config = await loadConfig(io);
    const mayAllow = async (folder: string) => mayBring("allowRules", trustLevelOf(config, folder));
    const lists = knowledgeOf(requireEra(io.env).exec);
    return runPolicyExplain(positionals, { ...io, mayAllow, lists });
  },
});
