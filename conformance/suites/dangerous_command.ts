import {
  type DangerousList,
  dangerousListOf2026,
  dangerousMatch,
  latestDangerousList,
} from "../../src/shell/index.js";
import type { SuiteAdapter } from "../suite.js";
import { checkEraLists } from "./era-lists.js";

const lists: Record<string, DangerousList> = {
  "v0.98": dangerousListOf2026,
  head: latestDangerousList,
};

/** Dangerous commands, by the list of every era that states the case. */
export const suite: SuiteAdapter = {
  name: "dangerous_command",
  runsAnyPlatform: true,
  run: (testCase) =>
    checkEraLists(testCase, lists, (argv, list, platform) => {
      const match = dangerousMatch(argv, list, platform);
      if ((match !== undefined) !== testCase.dangerous) return match ?? "not dangerous";
      return testCase.match === undefined || match === testCase.match ? undefined : match;
    }),
};
