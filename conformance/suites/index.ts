import type { SuiteAdapter } from "../suite.js";

/** The suites this project can run, one line each; a suite without an adapter is counted as not run. */
export const adapters: SuiteAdapter[] = [];
