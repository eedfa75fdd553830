import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../random.js";
import type { Soak } from "../soak.js";
import { KilledGoal, type KilledGoalReport } from "./killed-goal.js";

/**
 * Kills servers that work on a goal and a queue, in turns and between them, and resumes the thread:
 * the goal continues with one turn at a time, and each queued message is worked on exactly once.
 */
export const goalsKill: Soak = {
  name: "goals-kill",
  usualCount: 100,
  async run({ count, seed, progress }) {
    const folder = await mkdtemp(join(tmpdir(), "quire-soak-"));
    const reports: KilledGoalReport[] = [];
    const threads = Math.max(lanes, Math.ceil(count / killsPerThread));
    let started = 0;
    const lane = async () => {
      while (started < threads) {
        const number = started++;
        const random = new Random(seed + number);
        const goal = new KilledGoal(`c${number}`, join(folder, `${number}`), random);
        const kills = Math.floor((count + number) / threads);
        for (let kill = 0; kill < kills; kill++) {
          await goal.runAndKill();
          progress(1);
        }
        reports.push(await goal.finish());
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));

    const problems = reports.flatMap((report) => report.problems);
    // Keep the files of a failure for inspection.
    if (problems.length === 0) await rm(folder, { recursive: true, force: true });
    return { problems, summary: summarize(reports) };
  },
};

const lanes = 2;
const killsPerThread = 20;

function summarize(reports: readonly KilledGoalReport[]): string {
  const sum = (field: Exclude<keyof KilledGoalReport, "problems">) =>
    reports.reduce((total, report) => total + report[field], 0);
  return (
    `${reports.length} threads killed ${sum("kills")} times, ${sum("between")} of them idle; ` +
    `${sum("turns")} turns started by themselves, ${sum("messages")} queued messages worked on once`
  );
}
