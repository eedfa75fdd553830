import { CodexError } from "../../protocol/error.js";
import { changeFile } from "./locked-file.js";
import { normalizeHost } from "./network-rule.js";
import type { Decision, NetworkRule } from "./rule.js";

/**
 * Adds a rule that allows commands beginning with `prefix` to a rules file.
 *
 * The same rule is not added twice, and a last line without its newline is completed first.
 */
export async function appendAllowPrefixRule(
  file: string,
  prefix: readonly string[],
): Promise<void> {
  if (prefix.length === 0) {
    throw new CodexError("invalid_request", "prefix rule requires at least one token");
  }
  const words = prefix.map((word) => JSON.stringify(word)).join(", ");
  await appendLine(file, `prefix_rule(pattern=[${words}], decision="allow")`);
}

/**
 * Adds a rule about a host to a rules file, in the same careful way.
 *
 * Only the suites ask for it: no sandbox here tells hosts apart, so nobody is asked about one.
 */
export async function appendNetworkRule(file: string, rule: NetworkRule): Promise<void> {
  const host = normalizeHost(rule.host);
  if (!host.ok) throw invalid(host.problem);
  if (rule.justification?.trim() === "") throw invalid("justification cannot be empty");
  const fields: Record<string, string | undefined> = {
    host: host.value,
    protocol: rule.protocol,
    decision: writtenDecision(rule.decision),
    justification: rule.justification,
  };
  const args = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  await appendLine(file, `network_rule(${args.join(", ")})`);
}

function appendLine(file: string, line: string): Promise<void> {
  return changeFile(file, (text) => {
    if (text.split(/\r?\n/).includes(line)) return undefined;
    const complete = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    return `${complete}${line}\n`;
  });
}

function writtenDecision(decision: Decision): string {
  return decision === "forbidden" ? "deny" : decision;
}

function invalid(problem: string): CodexError {
  return new CodexError("invalid_request", `invalid network rule: ${problem}`);
}
