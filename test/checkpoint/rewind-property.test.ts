import fc from "fast-check";
import { expect, test } from "vitest";
import { histories, runHistory } from "./histories.js";

// `REWIND_RUNS=2000` is the whole form.
const runs = Number(process.env.REWIND_RUNS ?? 20);

test("random histories of patches, commands and the user are rewound and taken back", {
  timeout: 20_000 + runs * 1000,
}, async () => {
  let withConflicts = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const { hasConflicts } = await runHistory(history);
      if (hasConflicts) withConflicts++;
    }),
    { numRuns: runs, endOnFailure: process.env.REWIND_RUNS !== undefined },
  );
  expect(withConflicts).toBeLessThan(runs);
});
