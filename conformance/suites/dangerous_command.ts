import {
  type DangerousList,
  dangerousListOf2026,
  dangerousMatch,
  latestDangerousList,
} from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";

const lists: Record<string, DangerousList> = {
  "v0.98": dangerousListOf2026,
  head: latestDangerousList,
};

/** Dangerous commands, by the list of every era that states the case. */
export const suite: SuiteAdapter = {
  name: "dangerous_command",
  runsAnyPlatform: true,
  run(testCase) {
    const platform = testCase.platform === "windows" ? "win32" : "linux";
    for (const era of testCase.era.split("+")) {
      const list = lists[era];
      if (list === undefined) return `no list for era ${era}`;
      const match = dangerousMatch(testCase.argv as string[], list, platform);
      if ((match !== undefined) !== testCase.dangerous)
        return `${era}: ${match ?? "not dangerous"}`;
      if (testCase.match !== undefined && match !== testCase.match) return `${era}: ${match}`;
    }
    return undefined;
  },
};
