import { spawn } from "node:child_process";
import { once } from "node:events";
import { timed } from "../../measure.js";
import { type Contest, makePlace, type Place } from "../contest.js";
import { type Comparison, oncePerSide, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

const head: RowHead = { key: "exec", name: "`exec hi`, wall", unit: "ms", better: "less" };

/** The whole program for one turn, as a script would call it. */
export const exec: Comparison = { heads: () => [head], measure };

function measure(contest: Contest): Promise<Row[]> {
  const sides = contest.sides.filter(({ exec }) => exec !== undefined);
  const usedPlace = oncePerSide(async (side) => {
    const place = makePlace(contest, side, "hello");
    await runOnce(side, place);
    return place;
  });
  return rounds({ ...contest, sides }, [head], async (side) => {
    const place = await usedPlace(side);
    return [await timed(() => runOnce(side, place))];
  });
}

/** Runs the program once; throws if its output lacks the model's answer. */
export async function runOnce({ exec = [] }: Side, { workspace, env }: Place): Promise<void> {
  const [file = "", ...args] = exec;
  const child = spawn(file, [...args, "hi"], {
    cwd: workspace,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data;
  });
  let progress = "";
  child.stderr.on("data", (data: Buffer) => {
    progress = (progress + data).slice(-500);
  });
  const [code] = await once(child, "close");
  if (code === 0 && output.includes("Hello there.")) return;
  throw new Error(`exec ended with ${code} and printed ${JSON.stringify(output)}: ${progress}`);
}
