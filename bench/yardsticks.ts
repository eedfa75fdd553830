import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { Yardstick } from "./figure.js";
import { median, neutralEnv, timed } from "./measure.js";

/** Milliseconds from the start to the end of a Node process that does nothing. */
export function bareNodeMs(): Promise<number> {
  return timed(async () => {
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env: neutralEnv() });
    await once(child, "exit");
  });
}

/** Cost of an idle Node process besides time. */
export interface BareNode {
  cpu: Yardstick;
  resident: Yardstick;
}

/** Measures the cost of a few idle Node processes. */
export async function bareNode(): Promise<BareNode> {
  const asked = [await askBareNode(), await askBareNode(), await askBareNode()];
  return {
    cpu: { name: "node -e 0", value: median(asked.map(({ cpu }) => cpu)) },
    resident: { name: "node -e 0", value: median(asked.map(({ resident }) => resident)) },
  };
}

/**
 * Milliseconds of a fixed loop of plain JavaScript in this process.
 *
 * It reflects the current speed of the machine, so that `--check` works on slow and busy ones.
 */
export function plainLoop(): Yardstick {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    loop();
    return performance.now() - start;
  });
  return { name: "plain loop", value: median(times) };
}

async function askBareNode(): Promise<{ cpu: number; resident: number }> {
  const script =
    "const {user,system}=process.cpuUsage();" +
    "console.log(JSON.stringify({cpu:(user+system)/1000,resident:process.memoryUsage.rss()/2**20}))";
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["-e", script], { env: neutralEnv() });
  return JSON.parse(stdout);
}

/** Numbers, objects and texts, as ordinary programs use them. */
function loop(): number {
  let state = 1;
  let length = 0;
  for (let round = 0; round < 20_000; round++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    const item = { id: `item-${state % 997}`, size: state % 64, parts: [state, round] };
    length += `${item.id} ${"x".repeat(item.size)} ${item.parts.join()}`.split(" ").length;
  }
  return length;
}
