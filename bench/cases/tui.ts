import { join, resolve } from "node:path";
import { listenScriptedModel, type Script } from "../../src/model/scripted/index.js";
import type { Figure, Scope } from "../figure.js";
import { interleaved, median, neutralEnv, percentile } from "../measure.js";
import { residentMb } from "../process-facts.js";
import { openPty } from "../pty-program.js";
import {
  frameEnd,
  keyTimes,
  makeTerminalPlace,
  startTime,
  streamCost,
  streamOf,
  type TerminalPlace,
} from "../terminal-ui.js";
import { plainLoop } from "../yardsticks.js";
import { longPageFigures } from "./long-page.js";

/**
 * Cost of the terminal UI: time to the first frame, from a key to its frame, and while a fast answer
 * streams.
 */
export async function tuiFigures({ short, folder }: Scope): Promise<Figure[]> {
  const seconds = short ? 5 : 30;
  const script: Script = { answers: [streamOf(seconds + 30)], after: "repeat" };
  const model = await listenScriptedModel({ script, record: false });
  const place = makeTerminalPlace(join(folder, "tui"), model);
  const keys = short ? 20 : 100;
  try {
    const [bareStart = 0, start = 0] = await interleaved(short ? 3 : 9, [
      () => startTime(openEcho, "ready"),
      () => startTime(() => openTerminal(place), frameEnd),
    ]);
    const terminal = await openTerminal(place);
    const echo = await openEcho();
    try {
      await terminal.until("Describe a task");
      await echo.until("ready");
      const bare = await keyTimes(echo, keys);
      const idle = await keyTimes(terminal, keys);
      const perSecond = await streamCost(terminal, place, seconds);
      const streaming = await keyTimes(terminal, keys);
      return [
        {
          key: "tui.start",
          name: "from the start to the first frame",
          value: start,
          unit: "ms",
          beside: { name: "a bare program", value: bareStart },
        },
        ...keyFigures("tui.key", "from a key to its frame", idle, bare),
        ...keyFigures("tui.key.streaming", "the same while it streams", streaming, bare),
        {
          key: "tui.stream",
          name: "CPU of a second of 1,000 deltas",
          value: perSecond,
          unit: "ms",
          beside: { name: "a whole core", value: 1000 },
          scale: plainLoop(),
        },
        {
          key: "tui.memory",
          name: `memory after ${seconds} seconds of them`,
          value: residentMb(terminal.pid),
          unit: "MB",
          beside: { name: "a bare program", value: residentMb(echo.pid) },
        },
        ...(await longPageFigures(short)),
      ];
    } finally {
      terminal.close();
      echo.close();
    }
  } finally {
    await model.close();
  }
}

function keyFigures(key: string, name: string, times: number[], bare: number[]): Figure[] {
  const scale = plainLoop();
  return [
    {
      key,
      name,
      value: median(times),
      unit: "ms",
      beside: { name: "a bare echo", value: median(bare) },
      aim: { atMostOver: 20 },
      scale,
    },
    {
      key: `${key}.p95`,
      name: "  19 of 20 within",
      value: percentile(times, 0.95),
      unit: "ms",
      beside: { name: "a bare echo", value: percentile(bare, 0.95) },
      scale,
    },
  ];
}

function openTerminal({ workspace, env }: TerminalPlace) {
  return openPty([process.execPath, resolve("bin/quire.js")], workspace, env);
}

/** The least that a program in a terminal can do with a key. */
function openEcho() {
  const script =
    "process.stdin.setRawMode(true).on('data',(key)=>process.stdout.write(key));console.log('ready')";
  return openPty([process.execPath, "-e", script], ".", neutralEnv());
}
