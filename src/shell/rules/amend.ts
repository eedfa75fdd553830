import { readFile } from "node:fs/promises";
import { errorCode, errorText } from "../../lib/errors.js";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, removeLeftovers, replaceFile } from "../../lib/replace-file.js";
import { CodexError } from "../../protocol/error.js";
import { normalizeHost } from "./network-rule.js";
import type { Decision, NetworkRule } from "./rule.js";

/**
 * Adds a rule that allows commands with `prefix` to a rules file.
 *
 * Does not add a rule twice, and completes a last line without newline first.
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
 * Adds a network rule to a rules file, in the same way.
 *
 * Used only by the suites: the sandbox does not distinguish hosts, so users are never asked about
 * one.
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

/**
 * Replaces the text of a file atomically by the result of `change`, under a lock.
 *
 * Creates missing directories. If `change` returns `undefined`, the file is left alone. Throws if
 * another writer holds the lock for five seconds.
 */
async function changeFile(
  path: string,
  change: (text: string) => string | undefined,
): Promise<void> {
  try {
    const target = await followLinks(path);
    await withFileLock(`${target}.lock`, patience, async () => {
      await removeLeftovers(target);
      const changed = change(await readText(target));
      if (changed !== undefined) await replaceFile(target, changed);
    });
  } catch (error) {
    if (error instanceof CodexError) throw error;
    const reason = errorText(error);
    throw new CodexError("io", `Cannot change ${path}: ${reason}`, { cause: error });
  }
}

const patience = { sameHolderMs: 5_000, totalMs: 30_000 };

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
