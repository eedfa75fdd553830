import {
  isKnownSafe,
  latestSafeList,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
} from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";

const lists: Record<string, SafeList> = {
  "v0.39": safeListOf2025,
  "v0.98": safeListOf2026,
  head: latestSafeList,
};

/** Known safe commands, by the list of every era that states the case. */
export const suite: SuiteAdapter = {
  name: "safe_command",
  runsAnyPlatform: true,
  run(testCase) {
    const platform = testCase.platform === "windows" ? "win32" : "linux";
    for (const era of testCase.era.split("+")) {
      const list = lists[era];
      if (list === undefined) return `no list for era ${era}`;
      const safe = isKnownSafe(testCase.argv as string[], list, platform);
      if (safe !== testCase.safe) return `${era}: safe is ${safe}`;
    }
    return undefined;
  },
};
