import { isDeepStrictEqual } from "node:util";
import { parsePlainCommands, parseShellLcPlainCommands } from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";

/** Scripts that are plain sequences of words, and their commands. */
export const suite: SuiteAdapter = {
  name: "bash_plain_commands",
  run(testCase) {
    const actual =
      testCase.fn === "script"
        ? parsePlainCommands(testCase.input as string)
        : parseShellLcPlainCommands(testCase.input as string[]);
    return isDeepStrictEqual(actual ?? null, testCase.expect) ? undefined : JSON.stringify(actual);
  },
};
