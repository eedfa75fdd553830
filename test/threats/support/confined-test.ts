import { test } from "vitest";
import { bubblewrapWorks } from "../../sandbox/support/confined.js";

/** Whether tests that need a sandbox are run: also without one, to fail, where one must be. */
export const hasSandbox =
  bubblewrapWorks || (process.env.CI === "true" && process.platform === "linux");

/** A test that needs a sandbox; without one it is skipped aloud. */
export const confinedTest = test.skipIf(!hasSandbox);

if (!bubblewrapWorks) console.warn("NOT TESTED, bubblewrap does not work here");
