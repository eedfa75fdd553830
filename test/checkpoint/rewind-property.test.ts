import fc from "fast-check";
import { expect, test } from "vitest";
import { histories, runHistory } from "./histories.js";

// `REWIND_RUNS=2000` is the whole form.
const runs = Number(process.env.REWIND_RUNS ?? 20);

test.each([
  ["by walks", {}],
  ["by watching folders", { watchedFrom: 0 }],
])(
  "random histories of patches, commands and the user are rewound and taken back, %s",
  {
    timeout: 20_000 + runs * 1000,
  },
  async (_how, options) => {
    let withConflicts = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { hasConflicts } = await runHistory(history, options);
        if (hasConflicts) withConflicts++;
      }),
      { numRuns: runs, endOnFailure: process.env.REWIND_RUNS !== undefined },
    );
    expect(withConflicts).toBeLessThan(runs);
  },
);
