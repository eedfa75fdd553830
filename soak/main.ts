import { parseArgs } from "node:util";
import { agentsKill } from "./agents-kill/agents-kill.js";
import { fleetSoak } from "./fleet/fleet-soak.js";
import { goalsKill } from "./goals-kill/goals-kill.js";
import { killResume } from "./kill-resume.js";
import { rewindHistories } from "./rewind-histories.js";
import { rewindKill } from "./rewind-kill.js";
import { serverLoad } from "./server-load/server-load.js";
import type { Soak } from "./soak.js";
import { writers } from "./writers.js";

const soaks: readonly Soak[] = [
  killResume,
  agentsKill,
  goalsKill,
  writers,
  serverLoad,
  rewindHistories,
  rewindKill,
  fleetSoak,
];

const usage = `npm run soak -- [options]
  --only NAME   one check (${soaks.map(({ name }) => name).join(", ")})
  --count N     how many rounds each takes
  --seed N      repeats a run; it is printed at the start`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      count: { type: "string" },
      seed: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const chosen = soaks.filter(({ name }) => values.only === undefined || name === values.only);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  const isWrong =
    chosen.length === 0 || Number.isNaN(seed) || Number.isNaN(Number(values.count ?? 1));
  if (values.help || isWrong) {
    console.log(usage);
    return isWrong ? 2 : 0;
  }

  let failed = false;
  for (const soak of chosen) {
    const count = Number(values.count ?? soak.usualCount);
    console.log(`${soak.name}: ${count} rounds, seed ${seed}`);
    const { problems, summary } = await soak.run({ count, seed, progress: progressOf(count) });
    for (const problem of problems.slice(0, 50)) console.error(`  ${problem}`);
    console.log(`  ${summary}; ${problems.length} problems\n`);
    failed ||= problems.length > 0;
  }
  return failed ? 1 : 0;
}

/** Reports progress at every tenth of the way. */
function progressOf(count: number): (rounds: number) => void {
  let done = 0;
  return (rounds) => {
    const before = Math.floor((done * 10) / count);
    done += rounds;
    if (Math.floor((done * 10) / count) > before) console.log(`  ${done} of ${count}`);
  };
}
