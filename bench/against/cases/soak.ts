import { AppServer } from "../app-server.js";
import { type Contest, makePlace, serverIn } from "../contest.js";
import type { Comparison, Row, RowHead } from "../rounds.js";
import type { Side } from "../side.js";

const heads: RowHead[] = [
  { key: "soak.slope", name: "soak: growth", unit: "MB/1000 turns", better: "less" },
  { key: "soak.resident", name: "soak: resident at the end", unit: "MB", better: "less" },
];

const turnsAThread = 10;

/**
 * Runs all sides for the whole time, in turn: a thread of ten turns, then the next.
 *
 * The slope is that of a line through the resident memory after each thread, without the first third.
 */
export const soak: Comparison = { heads: () => heads, measure };

async function measure(contest: Contest): Promise<Row[]> {
  if (contest.soakSeconds === 0) return [];
  const workers: Worker[] = [];
  try {
    for (const side of contest.sides) {
      const server = await AppServer.start(serverIn(makePlace(contest, side, "hello"), side));
      workers.push({ side, server, points: [] });
    }
    const lasting = await keepBusy(workers, contest);
    return heads.map((head, index) => ({
      ...head,
      samples: new Map(
        lasting.map(({ side, points }) => [side.name, [figures(points)[index] ?? 0]]),
      ),
    }));
  } finally {
    await Promise.all(workers.map(({ server }) => server.end()));
  }
}

interface Worker {
  side: Side;
  server: AppServer;
  points: Point[];
}

/** Runs all sides and returns those that finished; reports the others. */
async function keepBusy(workers: readonly Worker[], contest: Contest): Promise<Worker[]> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  let lasting = [...workers];
  let reported = 0;
  while (lasting.length > 0 && seconds() < contest.soakSeconds) {
    for (const worker of lasting) {
      try {
        worker.points.push(await useThread(worker));
      } catch (error) {
        lasting = lasting.filter((other) => other !== worker);
        contest.note(`${worker.side.name} did not last: ${(error as Error).message}`);
      }
    }
    const minutes = Math.floor(seconds() / 60);
    if (minutes > reported)
      contest.note(`soak, ${minutes} min: ${lasting.map(progress).join(", ")}`);
    reported = minutes;
  }
  return lasting;
}

function progress({ side, points }: Worker): string {
  const { turns = 0, residentMb = 0 } = points.at(-1) ?? {};
  return `${side.name} ${residentMb.toFixed(1)} MB after ${turns.toLocaleString("en")} turns`;
}

function figures(points: readonly Point[]): number[] {
  const settled = points.slice(Math.floor(points.length / 3));
  return [slope(settled) * 1000, points.at(-1)?.residentMb ?? 0];
}

/** Resident memory after a number of turns. */
export interface Point {
  turns: number;
  residentMb: number;
}

async function useThread({ side, server, points }: Worker): Promise<Point> {
  const threadId = await server.startThread();
  for (let turn = 0; turn < turnsAThread; turn++) await server.turn(threadId);
  if (side.kind !== "bare") await server.request("thread/archive", { threadId });
  return { turns: (points.length + 1) * turnsAThread, residentMb: server.residentMb };
}

/** The growth a turn of the line that fits the points best. */
export function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(points.length, 1);
  const [turns, resident] = [mean((point) => point.turns), mean((point) => point.residentMb)];
  const spread = mean((point) => (point.turns - turns) ** 2);
  if (spread === 0) return 0;
  return mean((point) => (point.turns - turns) * (point.residentMb - resident)) / spread;
}
