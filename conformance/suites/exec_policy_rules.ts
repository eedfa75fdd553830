import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  addPrefixRule,
  appendAllowPrefixRule,
  appendNetworkRule,
  type Decision,
  evaluateRules,
  type NetworkRule,
  networkDomains,
  noRules,
  parseRules,
  type RulesFile,
} from "../../src/shell/index.js";
import type { SuiteAdapter, SuiteCase, SuiteContext } from "../suite.js";
import { inFolder } from "./case-files.js";
import { differs } from "./differs.js";
import { type RunKind, runKind } from "./run-kind.js";

interface Outcome {
  ok: boolean;
  error: string;
}

const kinds: Record<string, RunKind<SuiteContext>> = {
  check: async (testCase) => {
    return differs(evaluate(rulesOf(testCase), testCase), testCase.expect);
  },
  parse_ok: async (testCase) => outcomeDiffers(testCase, await attempt(() => rulesOf(testCase))),
  parse_error: async (testCase) => outcomeDiffers(testCase, await attempt(() => rulesOf(testCase))),
  add_prefix: async (testCase) => {
    const prefix = testCase.prefix as string[];
    let rules = testCase.policies === undefined ? noRules : rulesOf(testCase);
    const outcome = await attempt(() => {
      rules = addPrefixRule(rules, prefix, testCase.decision as Decision);
    });
    const { ok, error, ...evaluation } = testCase.expect as Record<string, unknown>;
    if (Object.keys(evaluation).length === 0) return outcomeDiffers(testCase, outcome);
    if (!outcome.ok) return outcome.error;
    return differs(evaluate(rules, testCase), evaluation);
  },
  append: (testCase, context) =>
    appended(testCase, context, async (file) => {
      for (const prefix of testCase.append_allow_prefixes as string[][]) {
        await appendAllowPrefixRule(file, prefix);
      }
    }),
  append_network: (testCase, context) =>
    appended(testCase, context, (file) => {
      const { host, protocol, decision, justification } = testCase as unknown as NetworkRule;
      const reason = justification == null ? {} : { justification };
      return appendNetworkRule(file, { host, protocol, decision, ...reason });
    }),
  network_domains: async (testCase) => {
    const rules = rulesOf(testCase);
    const actual = { rule_count: rules.networkRules.length, ...networkDomains(rules) };
    return differs(actual, { ...actual, ...(testCase.expect as object) });
  },
  host_executables: async (testCase) => {
    const paths = rulesOf(testCase).hostExecutables.get(testCase.executable as string);
    return differs(paths, testCase.expect);
  },
};

/** Exec-policy rules: reading, judging, adding. */
export const suite: SuiteAdapter = {
  name: "exec_policy_rules",
  run: (testCase, context) => runKind(kinds, testCase, context),
};

function evaluate(rules: Parameters<typeof evaluateRules>[0], testCase: SuiteCase) {
  const single = testCase.command as string[] | undefined;
  const commands = single === undefined ? (testCase.commands as string[][]) : [single];
  return evaluateRules(rules, commands, {
    fallback: () => (testCase.fallback ?? "allow") as Decision,
    resolveHostExecutables: testCase.resolve_host_executables === true,
  });
}

function rulesOf(testCase: SuiteCase) {
  return parseRules(testCase.policies as RulesFile[]);
}

async function appended(
  testCase: SuiteCase,
  context: SuiteContext,
  append: (file: string) => Promise<void>,
): Promise<string | undefined> {
  const file = inFolder(context.dir, testCase.file as string);
  if (typeof testCase.initial === "string") {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, testCase.initial);
  }
  const outcome = await attempt(() => append(file));
  const contents = (testCase.expect as { contents?: string }).contents;
  if (contents === undefined) return outcomeDiffers(testCase, outcome);
  return outcome.ok ? differs(await readFile(file, "utf8"), contents) : outcome.error;
}

async function attempt(action: () => unknown): Promise<Outcome> {
  try {
    await action();
    return { ok: true, error: "" };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function outcomeDiffers(testCase: SuiteCase, outcome: Outcome): string | undefined {
  const expect = testCase.expect as { ok: boolean; error?: string; error_contains?: string };
  const text = expect.error ?? expect.error_contains ?? "";
  return outcome.ok === expect.ok && outcome.error.includes(text)
    ? undefined
    : JSON.stringify(outcome);
}
