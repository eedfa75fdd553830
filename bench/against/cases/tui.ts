import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listenRoutedModel } from "../../../interop/routed-model.js";
import { median } from "../../measure.js";
import { endProcessesIn } from "../../process-facts.js";
import { openPty } from "../../pty-program.js";
import {
  frameEnd,
  keyTimes,
  makeTerminalPlace,
  streamCost,
  streamOf,
  type TerminalPlace,
} from "../../terminal-ui.js";
import { type Contest, onlyHere } from "../contest.js";
import { type Comparison, oncePerSide, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

const heads: RowHead[] = [
  { key: "tui.start", name: "terminal UI, start to first frame", unit: "ms", better: "less" },
  { key: "tui.key", name: "terminal UI, key to frame", unit: "ms", better: "less" },
  {
    key: "tui.stream",
    name: "terminal UI, CPU of a second of 1,000 deltas",
    unit: "ms",
    better: "less",
  },
];

/** The terminal UI of each side on a pseudo-terminal, with a model that streams fast. */
export const tui: Comparison = { heads: () => heads, measure };

async function measure(contest: Contest): Promise<Row[]> {
  const seconds = contest.short ? 3 : 10;
  const sides = contest.sides.filter(({ tui }) => tui !== undefined);
  const model = await listenRoutedModel([
    // Only 0.166.0 requests a title on its own; a second stream would be charged to it.
    { when: /task title/, answer: [{ message: '{"title":"Go"}' }] },
    { when: /^go$/, answer: streamOf(seconds + 20) },
  ]);
  const homes: string[] = [];
  // The first start of all fills the home; that of 0.166.0 also leaves a server that works for all
  // later ones.
  const usedPlace = oncePerSide(async (side) => {
    const root = mkdtempSync(join(contest.folder, "tui-"));
    const place = makeTerminalPlace(root, { model: side.model, baseUrl: model.baseUrl });
    homes.push(place.home);
    await useTerminal(side, place, 1);
    return place;
  });
  const useOnce = async (side: Side) => useTerminal(side, await usedPlace(side), seconds);
  try {
    return await rounds({ ...contest, sides }, heads, useOnce, Math.min(contest.rounds, 3));
  } finally {
    for (const home of homes) endProcessesIn(home);
    await model.close();
  }
}

async function useTerminal(
  { tui = [] }: Side,
  place: TerminalPlace,
  seconds: number,
): Promise<number[]> {
  const begun = performance.now();
  const terminal = await openPty(tui, place.workspace, { ...place.env, ...onlyHere });
  try {
    await terminal.until(frameEnd);
    const start = performance.now() - begun;
    await pause(settleMs);
    const key = median(await keyTimes(terminal, 10));
    return [start, key, await streamCost(terminal, place, seconds)];
  } finally {
    terminal.close();
  }
}

/** Loading after the first frame is not charged to the first key. */
const settleMs = 2000;
