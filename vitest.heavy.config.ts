import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Runs the tests that load the machine, one file after another. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/heavy/**/*.test.ts"],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
