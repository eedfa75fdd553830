import fc from "fast-check";
import { errorText } from "../src/lib/errors.js";
import { histories, runHistory } from "../test/checkpoint/histories.js";
import type { Soak } from "./soak.js";

/** Rewinds random histories of patches, commands and edits of the user, and takes the rewinds back. */
export const rewindHistories: Soak = {
  name: "rewind-histories",
  usualCount: 2000,
  async run({ count, seed, progress }) {
    let conflicts = 0;
    // Every second one with folders that are watched.
    const watchedFrom = fc.constantFrom(0, Number.POSITIVE_INFINITY);
    const property = fc.asyncProperty(histories, watchedFrom, async (history, from) => {
      if ((await runHistory(history, { watchedFrom: from })).hasConflicts) conflicts++;
      progress(1);
    });
    const result = await fc.check(property, { numRuns: count, seed, endOnFailure: true });
    const problems = result.failed
      ? [errorText(result.errorInstance), fc.defaultReportMessage(result) ?? "failed"]
      : [];
    return { problems, summary: `${count} histories, ${conflicts} of them with conflicts` };
  },
};
