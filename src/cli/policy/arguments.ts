import { nearest } from "../../lib/nearest.js";
import type { AskForApproval, SandboxPolicy } from "../../protocol/types.js";

/** Parsed arguments of `policy explain`. */
export interface ExplainArguments {
  argv: string[];
  approvalPolicy: AskForApproval;
  sandboxMode: "read-only" | "workspace-write" | "danger-full-access";
  escalated: boolean;
  json: boolean;
}

/** Usage line. */
export const usage =
  "Usage: quire policy explain [--approval-policy POLICY] [--sandbox MODE] [--escalated] [--json] -- CMD…";

const approvalPolicies = ["untrusted", "on-failure", "on-request", "never"] as const;
const sandboxModes = ["read-only", "workspace-write", "danger-full-access"] as const;
const flags = ["--approval-policy", "--sandbox", "--escalated", "--json"];

/** Parses the arguments; returns an error message if they are wrong. */
export function parseExplainArguments(args: readonly string[]): ExplainArguments | string {
  let approvalPolicy: AskForApproval = "on-request";
  let sandboxMode: ExplainArguments["sandboxMode"] = "read-only";
  let escalated = false;
  let json = false;
  let index = 0;
  for (; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      index += 1;
      break;
    }
    if (!arg.startsWith("-")) break;
    const [flag = "", inline] = arg.split(/=(.*)/s);
    const value = () => inline ?? args[++index];
    if (flag === "--json") json = true;
    else if (flag === "--escalated") escalated = true;
    else if (flag === "--approval-policy") {
      const chosen = oneOf(value(), approvalPolicies);
      if (chosen === undefined)
        return `Expected --approval-policy to be one of ${approvalPolicies.join(", ")}.`;
      approvalPolicy = chosen;
    } else if (flag === "--sandbox") {
      const chosen = oneOf(value(), sandboxModes);
      if (chosen === undefined)
        return `Expected --sandbox to be one of ${sandboxModes.join(", ")}.`;
      sandboxMode = chosen;
    } else {
      const similar = nearest(flag, flags);
      const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
      return `Unknown option ${flag}.${hint} Put -- before the command to explain.`;
    }
  }
  const words = args.slice(index);
  if (words.length === 0) return "Missing command; put it after --, for example: -- git status";
  return { argv: toArgv(words), approvalPolicy, sandboxMode, escalated, json };
}

/** A sandbox policy of that mode, with nothing added. */
export function toSandboxPolicy(mode: ExplainArguments["sandboxMode"]): SandboxPolicy {
  return { mode };
}

/** One quoted line is meant as a script, as a model would send it. */
function toArgv(words: readonly string[]): string[] {
  const [only = ""] = words;
  return words.length === 1 && /\s/.test(only) ? ["bash", "-lc", only] : [...words];
}

function oneOf<Text extends string>(
  value: string | undefined,
  choices: readonly Text[],
): Text | undefined {
  return choices.find((choice) => choice === value);
}
