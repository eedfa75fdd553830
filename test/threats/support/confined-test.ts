import { test } from "vitest";
import { bubblewrapWorks } from "../../sandbox/support/confined.js";

const mustWork = process.env.CI === "true" && process.platform === "linux";

/** A test that needs a sandbox; without one it is skipped aloud, and fails where one must be. */
export const confinedTest = test.skipIf(!bubblewrapWorks && !mustWork);

if (!bubblewrapWorks) console.warn("NOT TESTED, bubblewrap does not work here");
