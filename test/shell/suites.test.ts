import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { SuiteAdapter, SuiteCase } from "../../conformance/suite.js";
import { suite as approvalDecisions } from "../../conformance/suites/approval_decisions.js";
import { suite as bashPlainCommands } from "../../conformance/suites/bash_plain_commands.js";
import { suite as dangerousCommand } from "../../conformance/suites/dangerous_command.js";
import { suite as execPolicyRules } from "../../conformance/suites/exec_policy_rules.js";
import { suite as parsedCmd } from "../../conformance/suites/parsed_cmd.js";
import { suite as safeCommand } from "../../conformance/suites/safe_command.js";
import { suite as shellInvocation } from "../../conformance/suites/shell_invocation.js";

const folder = resolve(import.meta.dirname, "../../../shared/suites");

const adapters = [
  approvalDecisions,
  bashPlainCommands,
  dangerousCommand,
  execPolicyRules,
  parsedCmd,
  safeCommand,
  shellInvocation,
];

describe.skipIf(!existsSync(folder))("the compatibility cases", () => {
  test.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
    "of %s all hold",
    async (name, adapter) => {
      const text = readFileSync(join(folder, `${name}.json`), "utf8");
      const { cases } = JSON.parse(text) as { cases: SuiteCase[] };

      const differences = await runAll(adapter, cases);

      expect(cases.length).toBeGreaterThan(0);
      expect(differences).toEqual([]);
    },
  );
});

async function runAll(adapter: SuiteAdapter, cases: SuiteCase[]): Promise<string[]> {
  const differences: string[] = [];
  const dir = await mkdtemp(join(tmpdir(), "quire-suite-"));
  try {
    for (const [index, testCase] of cases.entries()) {
      const difference = await adapter.run(testCase, { dir: join(dir, String(index)) });
      if (difference !== undefined) differences.push(`${testCase.name}: ${difference}`);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return differences;
}
