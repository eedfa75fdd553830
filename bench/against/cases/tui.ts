import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listenScriptedModel, scriptedConfig } from "../../../src/model/scripted/index.js";
import { median, neutralEnv } from "../../measure.js";
import { cpuMs } from "../../process-facts.js";
import { firstFrame, keyTimes, openPty, type PtyProgram, streamOf } from "../../pty-program.js";
import type { Contest } from "../contest.js";
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
    return useTerminal(side, placeFor(contest, side, model.baseUrl), seconds);
  };
  try {
    return await rounds(contest, heads, measure, Math.min(contest.rounds, 3));
  } finally {
    await model.close();
  }
}

async function useTerminal(
  { tui = [] }: Side,
  { home, workspace }: { home: string; workspace: string },
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

/** Milliseconds of CPU in a second of an answer that streams. */
async function streamCost(terminal: PtyProgram, seconds: number): Promise<number> {
  // Not in one go: letters that come together with the key that sends them count as pasted.
  for (const text of ["\x03", "go", "\r"]) {
    terminal.write(text);
    await pause(500);
  }
  await terminal.until("word");
  const before = cpuMs(terminal.pid);
  await pause(seconds * 1000);
  return (cpuMs(terminal.pid) - before) / seconds;
}

/** What programs load after their first frame is not charged to the first key. */
const settleMs = 2000;

const onlyHere = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" };

function placeFor({ folder }: Contest, side: Side, baseUrl: string) {
  const root = mkdtempSync(join(folder, "tui-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  for (const path of [home, workspace]) mkdirSync(path);
  const settings = 'approval_policy = "never"\nsandbox_mode = "read-only"';
  const trust = `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
  const config = scriptedConfig({ model: side.model, baseUrl, settings });
  writeFileSync(join(home, "config.toml"), `${config}\n${trust}`);
  return { home, workspace };
}
