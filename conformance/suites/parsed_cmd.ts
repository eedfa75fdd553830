import { isDeepStrictEqual } from "node:util";
import {
  defaultRules,
  latestRules,
  type ParsedCommandRules,
  parseCommand,
  rulesOf2025,
  rulesOf2026,
} from "../../src/shell/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";

const presets: Record<string, ParsedCommandRules> = {
  all: defaultRules,
  "v0.39": rulesOf2025,
  "v0.98": rulesOf2026,
  head: latestRules,
};

/** Command summaries, each under the rules of every era that states the case. */
export const suite: SuiteAdapter = {
  name: "parsed_cmd",
  runsAnyPlatform: true,
  run(testCase) {
    for (const era of testCase.era.split("+")) {
      const rules = presets[era];
      if (rules === undefined) throw new CannotRun(`no rules for era ${era}`);
      const difference = compare(testCase, rules);
      if (difference !== undefined) return `${era}: ${difference}`;
    }
    return undefined;
  },
};

function compare(testCase: SuiteCase, rules: ParsedCommandRules): string | undefined {
  const argv = testCase.argv as string[];
  if (testCase.kind === "pipeline_formatting_helper") {
    const formats = rules.isFormatting(argv);
    return formats === testCase.expect_helper ? undefined : `formatting stage: ${formats}`;
  }
  const expected = (testCase.expect as { path?: string; type: string }[]).map((command) => {
    const { path, ...rest } = command;
    return rest.type === "read" && !rules.readPath ? rest : command;
  });
  const actual = parseCommand(argv, rules);
  return isDeepStrictEqual(actual, expected) ? undefined : JSON.stringify(actual);
}
