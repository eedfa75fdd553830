import { killRestores } from "../test/checkpoint/killed-restore.js";
import { Random } from "./random.js";
import type { Soak } from "./soak.js";

/** Kills restores of files: after each kill all files are in the old state, or all in the new one. */
export const rewindKill: Soak = {
  name: "rewind-kill",
  usualCount: 200,
  async run({ count, seed, progress }) {
    const random = new Random(seed);
    const report = await killRestores(count, () => random.next());
    progress(count);
    const { old, new: restored, midway, between } = report;
    const states = `${old} times the old state, ${restored} times the new one`;
    const summary = `${count} kills, ${midway} of them with files half restored: ${states}`;
    // Kills that all come too early or too late prove nothing.
    const isSpread = old > 0 && restored > 0 && midway > 0;
    const unspread = isSpread ? [] : [`The kills are not spread over the restore: ${summary}`];
    return { problems: [...between, ...unspread], summary };
  },
};
