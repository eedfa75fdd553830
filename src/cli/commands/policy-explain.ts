import { CodexError } from "../../protocol/error.js";
import {
  type ExecDecisionInput,
  explainPolicy,
  latestSafeList,
  type RuleLayers,
  readRuleLayers,
  strictestDangerousList,
} from "../../shell/index.js";
import { parseExplainArguments, toSandboxPolicy, usage } from "../policy/arguments.js";
import { renderExplanation } from "../policy/render.js";

/** What the command reads and writes. */
export interface PolicyExplainIo {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the user trusts the project in a directory; nobody does when absent. */
  mayAllow?: (directory: string) => Promise<boolean>;
  /** The lists of the era that is spoken; the strictest when absent. */
  lists?: Pick<ExecDecisionInput, "safeList" | "dangerousList">;
}

/**
 * Says what would happen to a command and what decides it, without running anything.
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
    io.stderr.write(`Error: ${error.message}\nNo rules count until the file is mended.\n`);
    return undefined;
  }
}
