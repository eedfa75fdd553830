import { defineConfig } from "vitest/config";
import base, { heavyOnly } from "./vitest.config.js";

/** Runs the tests that load the machine, and those with large counts in full, one file after another. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      ...heavyOnly,
      "test/e2e/kill.test.ts",
      "test/patch/property.test.ts",
      "test/rollout/list.test.ts",
      "test/rollout/usage-count.test.ts",
      "test/safety/matrix.test.ts",
      "test/shell/safety/safe-in-bash.test.ts",
      "test/transport/websocket.test.ts",
    ],
    env: { QUIRE_FULL_COUNTS: "1" },
    exclude: [],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
