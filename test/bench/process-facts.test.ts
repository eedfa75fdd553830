import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endProcessesIn, processesIn } from "../../bench/process-facts.js";

test.skipIf(process.platform !== "linux")(
  "all processes of a home are found and ended",
  async () => {
    const home = `/nowhere/${process.pid}`;
    const sleeper = (CODEX_HOME: string) =>
      spawn("sleep", ["60"], { env: { PATH: process.env.PATH, CODEX_HOME }, stdio: "ignore" });
    const [inside, outside] = [sleeper(home), sleeper(`${home}0`)];
    await Promise.all([once(inside, "spawn"), once(outside, "spawn")]);

    try {
      expect(processesIn(home)).toEqual([inside.pid]);

      const ended = once(inside, "exit");
      endProcessesIn(home);

      expect(await ended).toEqual([null, "SIGKILL"]);
      expect(processesIn(`${home}0`)).toEqual([outside.pid]);
    } finally {
      outside.kill();
    }
  },
);
