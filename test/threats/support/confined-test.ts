import { test } from "vitest";
import { bubblewrapWorks } from "../../sandbox/support/confined.js";

/** True if tests that need a sandbox run: also without one, to fail, if one is required. */
export const hasSandbox =
  bubblewrapWorks || (process.env.CI === "true" && process.platform === "linux");

/** A test that needs a sandbox; skipped without one. */
export const confinedTest = test.skipIf(!hasSandbox);

if (!bubblewrapWorks) console.warn("NOT TESTED, bubblewrap does not work here");
