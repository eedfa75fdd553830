import { CodexError } from "../../protocol/error.js";
import {
  type ExecDecisionInput,
  explainPolicy,
  latestSafeList,
  type PolicyExplanation,
  type RuleLayers,
  readRuleLayers,
  strictestDangerousList,
} from "../../shell/index.js";
import { defineCommand } from "../command.js";
import { UsageError } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import { accessOptions, asksForAccess } from "../policy/access-options.js";
import {
  type ExplainArguments,
  parseExplainArguments,
  toSandboxPolicy,
  usage,
} from "../policy/arguments.js";
import { counted, visible } from "../print.js";

/** Explains decisions of the policies. */
export const policy = defineCommand({
  name: "policy",
  summary: "Explain the policy decision for a command, a file or a host",
  verbs: [
    {
      name: "explain",
      summary: "Explain the policy decision for a command, a file or a host",
      load: async () => explain,
    },
  ],
  options: {},
  async run() {
    throw new UsageError(
      "Missing command: `quire policy explain -- CMD…`, or --read PATH, --write PATH, --connect HOST",
    );
  },
});

const explain = defineCommand({
  name: "policy explain",
  summary: "Explain the policy decision for a command, a file or a host",
  operands: "-- CMD…",
  options: {
    ...accessOptions,
    "approval-policy": {
      type: "string",
      value: "POLICY",
      choices: ["untrusted", "on-failure", "on-request", "never"],
      help: "Approval policy",
    },
    sandbox: {
      type: "string",
      value: "MODE",
      choices: ["read-only", "workspace-write", "danger-full-access"],
      help: "Sandbox mode",
    },
    escalated: { type: "boolean", help: "Assume that the model asks to run without the sandbox" },
    json: { type: "boolean", help: "Print the explanation as JSON" },
  },
  raw: true,
  details: [
    "The command is not run. A single quoted argument is read as a shell script.",
    "With --read, --write or --connect it shows which rule of the permission profile or sandbox mode",
    "decides and its file; it exits with 0 if the access is allowed and with 1 if it is denied.",
  ].join("\n"),
  async run({ positionals }, io) {
    if (asksForAccess(positionals)) {
      const { explainAccess } = await import("../policy/explain-access.js");
      return explainAccess(positionals, io);
    }
    const [settings, { knowledgeOf }] = await Promise.all([
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

/** Streams and environment of the command. */
interface PolicyExplainIo {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Returns true if the user trusts the project of a directory; default: untrusted. */
  mayAllow?: (directory: string) => Promise<boolean>;
  /** The lists of the era that is spoken; the strictest when absent. */
  lists?: Pick<ExecDecisionInput, "safeList" | "dangerousList">;
}

/**
 * Explains the decision for a command without running it.
 *
 * Returns the exit code: 0 when explained, 1 when rules files cannot be used, 2 when it was called in
 * a wrong way.
 */
export async function runPolicyExplain(
  args: readonly string[],
  io: PolicyExplainIo,
): Promise<number> {
  const given = parseExplainArguments(args);
  if (typeof given === "string") {
    io.stderr.write(`Error: ${given}\n${usage}\n`);
    return 2;
  }
  const layers = await readLayers(io);
  if (layers === undefined) return 1;
  const explanation = explainPolicy({
    argv: given.argv,
    approvalPolicy: given.approvalPolicy,
    sandboxPolicy: toSandboxPolicy(given.sandboxMode),
    escalated: given.escalated,
    rules: layers.rules,
    safeList: io.lists?.safeList ?? latestSafeList,
    dangerousList: io.lists?.dangerousList ?? strictestDangerousList,
    approvedForSession: false,
    platformSandbox: process.platform !== "win32",
    trustedRunsSandboxed: true,
    proposeAmendments: true,
  });
  const text = given.json
    ? `${JSON.stringify({ ...explanation, rulesFiles: layers.files, notes: layers.notes }, null, 2)}\n`
    : renderExplanation(explanation, given, layers);
  io.stdout.write(text);
  return 0;
}

async function readLayers(io: PolicyExplainIo): Promise<RuleLayers | undefined> {
  try {
    return await readRuleLayers(io);
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    io.stderr.write(`Error: ${error.message}\nNo rules apply until the file is fixed.\n`);
    return undefined;
  }
}

/** The explanation as text for a person. */
function renderExplanation(
  explanation: PolicyExplanation,
  given: ExplainArguments,
  layers: RuleLayers,
): string {
  const { prefixRules } = layers.rules;
  const lines = [
    `Command   ${explanation.command}`,
    `Policy    approval ${given.approvalPolicy}, sandbox ${given.sandboxMode}`,
    `Rules     ${counted(prefixRules.length, "rule")} from ${counted(layers.files.length, "file")}`,
    ...layers.notes.map((note) => `Note      ${note}`),
    `Read as   ${readAs(explanation)}`,
    "",
    ...explanation.parts.flatMap(renderPart),
    "",
    `Outcome   ${explanation.outcome}`,
    ...renderProposal(explanation.proposedRule),
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

function readAs({ read, parts }: PolicyExplanation): string {
  if (read === "plain script") return `a plain script of ${counted(parts.length, "command")}`;
  if (read === "command") return "one command";
  return "a script that cannot be taken apart safely, so it is judged as a whole";
}

function renderPart(part: PolicyExplanation["parts"][number]): string[] {
  return [
    `  ${part.decision.padEnd(9)} ${part.command}`,
    `            ${part.because}`,
    ...part.rules.map((rule) => {
      const place = rule.place === undefined ? "" : ` (${rule.place})`;
      const why = rule.justification === undefined ? "" : ` — ${rule.justification}`;
      return `            ${rule.rule}${place}${why}`;
    }),
  ];
}

function renderProposal(prefix: readonly string[] | undefined): string[] {
  if (prefix === undefined) return [];
  const words = prefix.map((word) => JSON.stringify(word)).join(", ");
  return [`To allow  prefix_rule(pattern=[${words}], decision="allow") in rules/default.rules`];
}
