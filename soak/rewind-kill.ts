import { killRestores } from "../test/checkpoint/killed-restore.js";
import { Random } from "./random.js";
import type { Soak } from "./soak.js";

/** Kills restores of files: after each kill all files are in the old state, or all in the new one. */
export const rewindKill: Soak = {
  name: "rewind-kill",
  usualCount: 200,
  async run({ count, seed, progress }) {
    const random = new Random(seed);
    const { old, new: restored, between } = await killRestores(count, () => random.next());
    progress(count);
    const summary = `${count} kills: ${old} times the old state, ${restored} times the new one`;
    return { problems: between, summary };
  },
};
