import { isDeepStrictEqual } from "node:util";
import { toUserShell, withUserProfile } from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";

/** Commands that run with the user's shell and profile. */
export const suite: SuiteAdapter = {
  name: "shell_invocation",
  run(testCase, { dir }) {
    const shell = toUserShell(testCase.shell as string, dir);
    const rc = "rcPath" in shell ? shell.rcPath : "";
    const expected = (testCase.expect as string[] | null)?.map((word) =>
      word.replaceAll(/\$\{RC\}/g, () => rc),
    );
    const exists = () => testCase.rc_exists === true;
    const actual = withUserProfile(shell, testCase.argv as string[], exists);
    return isDeepStrictEqual(actual, expected ?? undefined) ? undefined : JSON.stringify(actual);
  },
};
