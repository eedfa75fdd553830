import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { errorCode, errorText } from "../../lib/errors.js";
import { projectFolders } from "../../lib/files.js";
import { CodexError } from "../../protocol/error.js";
import { joinWords } from "../quote.js";
import { networkRuleWarning } from "./network-rule.js";
import { parseRules, type RulesFile } from "./parse-rules.js";
import { type Decision, type ExecRules, mergeRules, noRules, type RuleMatch } from "./rule.js";

/** Locations of rules. */
export interface RuleSources {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Returns true if the rules of the project in a directory may allow commands; default: false. */
  mayAllow?: ((directory: string) => Promise<boolean>) | undefined;
}

/** Effective rules, and notes for the user about their origin. */
export interface RuleLayers {
  rules: ExecRules;
  files: string[];
  notes: string[];
}

/**
 * Reads the rules of the user and of the project around `cwd`.
 *
 * Rules of an untrusted project can prompt and forbid but not allow: cloning a repository must not
 * loosen the policy.
 */
export async function readRuleLayers(sources: RuleSources): Promise<RuleLayers> {
  const home = sources.env.CODEX_HOME || join(sources.env.HOME || homedir(), ".codex");
  const userFiles = await readRulesFiles(join(home, "rules"));
  const layers: RuleLayers = {
    rules: parseRules(userFiles),
    files: userFiles.map((file) => file.name),
    notes: [],
  };
  for (const directory of projectFolders(sources.cwd, [".git"])) {
    const folder = join(directory, ".codex");
    if (folder !== home) await addProject(layers, directory, join(folder, "rules"), sources);
  }
  const warning = networkRuleWarning(layers.rules);
  if (warning !== undefined) layers.notes.push(warning);
  return layers;
}

async function addProject(
  layers: RuleLayers,
  directory: string,
  folder: string,
  sources: RuleSources,
): Promise<void> {
  const files = await readRulesFiles(folder);
  if (files.length === 0) return;
  const rules = parseRules(files);
  const trusted = (await sources.mayAllow?.(directory)) ?? false;
  layers.files.push(...files.map((file) => file.name));
  layers.rules = mergeRules(layers.rules, trusted ? rules : restrictions(rules));
  const ignored = rules.prefixRules.filter((rule) => rule.decision === "allow").length;
  if (!trusted && ignored > 0) {
    layers.notes.push(
      `${directory} is not a trusted project: ${ignored} of its rules that allow commands do not count.`,
    );
  }
}

function restrictions(rules: ExecRules): ExecRules {
  return {
    ...noRules,
    prefixRules: rules.prefixRules.filter((rule) => rule.decision !== "allow"),
    networkRules: rules.networkRules.filter((rule) => rule.decision !== "allow"),
  };
}

/** Reads the `*.rules` files directly in a directory, sorted by name. */
export async function readRulesFiles(directory: string): Promise<RulesFile[]> {
  const files: RulesFile[] = [];
  for (const name of await rulesFileNames(directory)) {
    const path = join(directory, name);
    files.push({ name: path, text: await readText(path) });
  }
  return files;
}

async function rulesFileNames(directory: string): Promise<string[]> {
  try {
    // Most directories have no rules, and every command checks: a stat is cheaper than an
    // exception.
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".rules"))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new CodexError(
      "io",
      `failed to read rules files from ${directory}: ${errorText(error)}`,
      {
        cause: error,
      },
    );
  }
}

const largest = 1024 * 1024;

async function readText(path: string): Promise<string> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new Error("it is not a file");
    if (info.size > largest) throw new Error(`it is larger than ${largest} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new CodexError("io", `failed to read rules file ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** Returns the reason for refusing a command, from the most specific rule. */
export function forbiddenReason(argv: readonly string[], matches: readonly RuleMatch[]): string {
  const rule = mostSpecific(matches, "forbidden");
  const command = joinWords(argv);
  if (rule === undefined) return `\`${command}\` rejected: blocked by policy`;
  if (rule.justification !== undefined) return `\`${command}\` rejected: ${rule.justification}`;
  const prefix = joinWords(rule.matchedPrefix);
  return `\`${command}\` rejected: policy forbids commands starting with \`${prefix}\``;
}

/** Returns the reason for an approval request; `undefined` if no rule requires it. */
export function promptReason(
  argv: readonly string[],
  matches: readonly RuleMatch[],
): string | undefined {
  const rule = mostSpecific(matches, "prompt");
  if (rule === undefined) return undefined;
  const command = joinWords(argv);
  if (rule.justification === undefined) return `\`${command}\` requires approval by policy`;
  return `\`${command}\` requires approval: ${rule.justification}`;
}

function mostSpecific(matches: readonly RuleMatch[], decision: Decision) {
  return matches
    .flatMap((match) => ("prefixRuleMatch" in match ? [match.prefixRuleMatch] : []))
    .filter((match) => match.decision === decision)
    .reduce<{ matchedPrefix: string[]; justification?: string } | undefined>(
      (best, match) =>
        best === undefined || match.matchedPrefix.length >= best.matchedPrefix.length
          ? match
          : best,
      undefined,
    );
}
