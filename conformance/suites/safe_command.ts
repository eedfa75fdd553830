import {
  isKnownSafe,
  latestSafeList,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
} from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";
import { checkEraLists } from "./era-lists.js";

const lists: Record<string, SafeList> = {
  "v0.39": safeListOf2025,
  "v0.98": safeListOf2026,
  head: latestSafeList,
};

/** Known safe commands, by the list of every era that states the case. */
export const suite: SuiteAdapter = {
  name: "safe_command",
  runsAnyPlatform: true,
  run: (testCase) =>
    checkEraLists(testCase, lists, (argv, list, platform) => {
      const safe = isKnownSafe(argv, list, platform);
      return safe === testCase.safe ? undefined : `safe is ${safe}`;
    }),
};
