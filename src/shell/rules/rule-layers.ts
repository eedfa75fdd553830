import { homedir } from "node:os";
import { join } from "node:path";
import { projectFolders } from "../../lib/folders-up.js";
import { parseRules } from "./parse-rules.js";
import { readRulesFiles } from "./read-rules.js";
import { type ExecRules, mergeRules, noRules } from "./rule.js";

/** Where rules are looked for. */
export interface RuleSources {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether rules of the project in a directory may allow commands; none may when absent. */
  mayAllow?: ((directory: string) => Promise<boolean>) | undefined;
}

/** The rules that count, and what to tell the user about where they come from. */
export interface RuleLayers {
  rules: ExecRules;
  files: string[];
  notes: string[];
}

/**
 * Reads the user's rules and those of the project around `cwd`.
 *
 * The rules of a project that is not trusted can ask and forbid but not allow: a repository must not
 * loosen the policy by being cloned.
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
