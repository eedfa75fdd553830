import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConversationReport, KilledConversation } from "./conversation.js";
import { Random } from "./random.js";
import type { Soak } from "./soak.js";

/**
 * Kills processes in the middle of turns, takes their conversations up again, and looks whether
 * anything is lost, doubled or broken.
 */
export const killResume: Soak = {
  name: "kill-resume",
  usualCount: 500,
  async run({ count, seed, progress }) {
    const folder = await mkdtemp(join(tmpdir(), "quire-soak-"));
    const sizes = sizesOf(count);
    const reports: ConversationReport[] = [];
    let started = 0;
    const lane = async () => {
      while (started < sizes.length) {
        const number = started++;
        const conversation = new KilledConversation(
          `c${number}`,
          join(folder, String(number)),
          new Random(seed + number),
        );
        for (let kill = 0; kill < (sizes[number] ?? 0); kill++) {
          await conversation.runAndKill();
          progress(1);
        }
        reports.push(await conversation.finish());
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));

    const problems = reports.flatMap((report) => report.problems);
    // Keep the files of a failure for inspection.
    if (problems.length === 0) await rm(folder, { recursive: true, force: true });
    return { problems, summary: summarize(reports) };
  },
};

const lanes = 4;
const killsPerConversation = 25;

/** Number of kills per conversation; there is work for all lanes. */
function sizesOf(count: number): number[] {
  const conversations = Math.max(lanes, Math.ceil(count / killsPerConversation));
  return Array.from({ length: conversations }, (_, n) =>
    Math.floor((count + n) / conversations),
  ).filter((size) => size > 0);
}

function summarize(reports: readonly ConversationReport[]): string {
  const sum = (field: "kills" | "turns" | "torn" | "brokenOff") =>
    reports.reduce((total, report) => total + report[field], 0);
  return (
    `${reports.length} conversations killed ${sum("kills")} times, ${sum("turns")} turns finished; ` +
    `${sum("torn")} lines torn, ${sum("brokenOff")} messages reported whose response was cut off`
  );
}
