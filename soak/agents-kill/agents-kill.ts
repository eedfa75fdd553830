import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../random.js";
import type { Soak } from "../soak.js";
import { KilledTree, type KilledTreeReport } from "./killed-tree.js";

/**
 * Kills servers whose conversation has three agents at work, all of them with a script that runs
 * commands, and resumes it: nothing runs twice, nothing that was reported is lost, and the root learns
 * which agents were lost.
 */
export const agentsKill: Soak = {
  name: "agents-kill",
  usualCount: 100,
  async run({ count, seed, progress }) {
    const folder = await mkdtemp(join(tmpdir(), "quire-soak-"));
    const reports: KilledTreeReport[] = [];
    const conversations = Math.max(lanes, Math.ceil(count / killsPerConversation));
    let started = 0;
    const lane = async () => {
      while (started < conversations) {
        const number = started++;
        const tree = new KilledTree(
          `c${number}`,
          join(folder, `${number}`),
          new Random(seed + number),
        );
        const kills = Math.floor((count + number) / conversations);
        for (let kill = 0; kill < kills; kill++) {
          await tree.runAndKill();
          progress(1);
        }
        reports.push(await tree.finish());
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
const killsPerConversation = 10;

function summarize(reports: readonly KilledTreeReport[]): string {
  const sum = (field: Exclude<keyof KilledTreeReport, "problems">) =>
    reports.reduce((total, report) => total + report[field], 0);
  return (
    `${reports.length} conversations killed ${sum("kills")} times with ${sum("agents")} agents: ` +
    `${sum("lost")} lost and reported to the root, ${sum("answered")} answered; ${sum("commands")} commands ran, ` +
    `${sum("items")} reported items are in the logs`
  );
}
