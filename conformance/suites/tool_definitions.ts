import { isDeepStrictEqual } from "node:util";
import { reduceSchema, toToolSpec } from "../../src/mcp/index.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** What models are told of tools: which there are, and what they take. */
export const suite: SuiteAdapter = {
  name: "tool_definitions",
  run(testCase) {
    const run = kinds[testCase.kind ?? ""];
    return run === undefined ? `unknown kind ${testCase.kind}` : run(testCase);
  },
};

type RunKind = (testCase: SuiteCase) => string | undefined;

const kinds: Record<string, RunKind> = {
  mcp_schema({ input_properties, expect_parameters }) {
    const inputSchema = { type: "object", properties: input_properties };
    const { parameters } = toToolSpec("server/tool", { name: "tool", inputSchema });
    return differs(parameters, expect_parameters);
  },
  sanitize_type: ({ schema, expect_type }) => differs(reduceSchema(schema).type, expect_type),
  tool_names: () => "the built-in tools are not compared yet",
  tool_schema: () => "the built-in tools are not compared yet",
};

function differs(actual: unknown, expected: unknown): string | undefined {
  return isDeepStrictEqual(actual, expected) ? undefined : JSON.stringify(actual);
}
