import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listenScriptedModel, scriptedConfig } from "../../src/model/scripted/index.js";
import { Random } from "../random.js";
import type { Soak } from "../soak.js";
import { Crowd } from "./crowd.js";
import { type Holdings, ServerProcess } from "./server-process.js";

/**
 * A thousand connections, two hundred threads and fifty turns at a time, with clients vanishing.
 *
 * Every turn has a witness on another connection, which must receive all of it. A round is a second; with
 * fewer than sixty rounds everything is smaller.
 */
export const serverLoad: Soak = {
  name: "server-load",
  usualCount: 600,
  async run({ count, seed, progress }) {
    const folder = await mkdtemp(join(tmpdir(), "quire-load-"));
    const script = { answers: [answer], after: "repeat" } as const;
    await using model = await listenScriptedModel({ script, record: false });
    const server = await ServerProcess.start(folder, scriptedConfig(model));
    const before = await server.holdings();
    const crowd = new Crowd(server.url, new Random(seed), answerText);
    const samples: Holdings[] = [];
    try {
      const size = count < 60 ? short : whole;
      await crowd.gather(size);
      const deadline = Date.now() + count * 1000;
      const working = crowd.work({ inFlight: size.inFlight, until: () => Date.now() >= deadline });
      while (Date.now() < deadline && server.isRunning) {
        await pause(1000);
        samples.push(await server.holdings());
        progress(1);
      }
      await working;
      await crowd.leave();
      if (!server.isRunning) crowd.problems.push("the server has died");
      else crowd.problems.push(...(await leftBehind(server, before)));
      crowd.problems.push(...growth(samples));
    } finally {
      await server.stop();
    }
    await rm(folder, { recursive: true, force: true });
    return { problems: crowd.problems, summary: `${crowd.summary}; ${memoryText(samples)}` };
  },
};

const whole = { connections: 1000, threads: 200, inFlight: 50 };
/** For a look in less than a minute. */
const short = { connections: 200, threads: 40, inFlight: 10 };

/** After all clients have left, the server uses as much memory as before. */
async function leftBehind(server: ServerProcess, before: Holdings): Promise<string[]> {
  let now = await server.holdings();
  for (let tries = 0; tries < 100 && !isAsBefore(now); tries++) {
    await pause(100);
    now = await server.holdings();
  }
  if (isAsBefore(now)) return [];
  const files = `${now.descriptors} descriptors (${before.descriptors} before)`;
  return [`left behind: ${now.children} children, ${files}: ${await server.openFiles()}`];

  function isAsBefore({ descriptors, children }: Holdings): boolean {
    // A log, a connection to the model or a timer may be open still.
    return descriptors <= before.descriptors + 10 && children === 0;
  }
}

/** Memory may vary, but the last third must not exceed the second. */
function growth(samples: readonly Holdings[]): string[] {
  if (samples.length < 30) return [];
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(meanMb);
  if (middle === undefined || last === undefined || last < middle * 1.1 + 10) return [];
  return [`memory grows: ${middle.toFixed(0)} MB, then ${last.toFixed(0)} MB`];
}

function meanMb(samples: readonly Holdings[]): number {
  return samples.reduce((sum, { residentMb }) => sum + residentMb, 0) / samples.length;
}

function memoryText(samples: readonly Holdings[]): string {
  const peak = Math.max(...samples.map(({ residentMb }) => residentMb));
  return `${samples.at(0)?.residentMb.toFixed(0)} MB at first, ${peak.toFixed(0)} at most, ${samples.at(-1)?.residentMb.toFixed(0)} at last`;
}

const pieces = Array.from({ length: 40 }, (_, n) => `piece ${n} `);
const answerText = pieces.join("");
const answer = [
  { message: answerText, deltas: pieces, pause_ms: 10 },
  { completed: true },
] as const;
