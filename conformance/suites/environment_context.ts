import {
  type EnvironmentContext,
  environmentDiffers,
  environmentText,
} from "../../src/engine/opening/environment.js";
import { parseSandboxPolicy } from "../../src/protocol/read/index.js";
import type { SuiteAdapter } from "../suite.js";

/** Description of the environment for the model. */
export const suite: SuiteAdapter = {
  name: "environment_context",
  run(testCase) {
    if ("given" in testCase) {
      const text = environmentText(read(testCase.given));
      return text === testCase.expect ? undefined : `expected ${testCase.expect}, got ${text}`;
    }
    const equal = !environmentDiffers(read(testCase.left), read(testCase.right));
    return equal === testCase.expect_equal ? undefined : `equal is ${equal}`;
  },
};

function read(value: unknown): EnvironmentContext {
  const { sandbox_policy, ...rest } = value as EnvironmentContext;
  if (sandbox_policy === undefined) return rest;
  return { ...rest, sandbox_policy: parseSandboxPolicy(sandbox_policy) };
}
