import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listenScriptedModel } from "../../../src/model/scripted/index.js";
import { median, neutralEnv } from "../../measure.js";
import {
  firstFrame,
  keyTimes,
  makeTerminalPlace,
  openPty,
  streamCost,
  streamOf,
  type TerminalPlace,
} from "../../pty-program.js";
import { type Contest, onlyHere } from "../contest.js";
import { type Row, type RowHead, rounds } from "../rounds.js";
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
export async function tuiRows(contest: Contest): Promise<Row[]> {
  const seconds = contest.short ? 3 : 10;
  const model = await listenScriptedModel({ script: streamOf(seconds + 20), record: false });
  const measure = async (side: Side) => {
    if (side.tui === undefined) return [];
    return useTerminal(
      side,
      makeTerminalPlace(mkdtempSync(join(contest.folder, "tui-")), {
        model: side.model,
        baseUrl: model.baseUrl,
      }),
      seconds,
    );
  };
  try {
    return await rounds(contest, heads, measure, Math.min(contest.rounds, 3));
  } finally {
    await model.close();
  }
}

async function useTerminal(
  { tui = [] }: Side,
  { home, workspace }: TerminalPlace,
  seconds: number,
): Promise<number[]> {
  const env = neutralEnv({ HOME: home, CODEX_HOME: home, TERM: "xterm-256color", ...onlyHere });
  const begun = performance.now();
  const terminal = await openPty(tui, workspace, env);
  try {
    await terminal.until(firstFrame);
    const start = performance.now() - begun;
    await pause(settleMs);
    const key = median(await keyTimes(terminal, 10));
    return [start, key, await streamCost(terminal, seconds)];
  } finally {
    terminal.close();
  }
}

/** What programs load after their first frame is not charged to the first key. */
const settleMs = 2000;
