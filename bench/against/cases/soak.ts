import { AppServer } from "../app-server.js";
import { type Contest, makePlace, serverIn } from "../contest.js";
import type { Row, RowHead } from "../rounds.js";
import type { Side } from "../side.js";

const heads: RowHead[] = [
  { key: "soak.slope", name: "soak: growth", unit: "MB/1000 turns", better: "less" },
  { key: "soak.resident", name: "soak: resident at the end", unit: "MB", better: "less" },
];

const turnsAThread = 10;

/**
 * All sides work for the whole time, in turn: a thread of ten turns, then the next.
 *
 * The slope is that of a line through what was resident after each thread, without the first third.
 */
export async function soakRows(contest: Contest): Promise<Row[]> {
  const rows = heads.map((head): Row => ({ ...head, samples: new Map() }));
  if (contest.soakSeconds === 0) return [];
  const servers: { side: Side; server: AppServer; points: Point[] }[] = [];
  try {
    for (const side of contest.sides) {
      const server = await AppServer.start(serverIn(makePlace(contest, side, "hello"), side));
      servers.push({ side, server, points: [] });
    }
    const end = performance.now() + contest.soakSeconds * 1000;
    while (performance.now() < end) {
      for (const { side, server, points } of servers)
        points.push(await useThread(side, server, points));
    }
    for (const { side, points } of servers) {
      const settled = points.slice(Math.floor(points.length / 3));
      rows[0]?.samples.set(side.name, [slope(settled) * 1000]);
      rows[1]?.samples.set(side.name, [points.at(-1)?.residentMb ?? 0]);
    }
    return rows;
  } finally {
    await Promise.all(servers.map(({ server }) => server.end()));
  }
}

/** What was resident after so many turns. */
export interface Point {
  turns: number;
  residentMb: number;
}

async function useThread({ kind }: Side, server: AppServer, points: Point[]): Promise<Point> {
  const threadId = await server.startThread();
  for (let turn = 0; turn < turnsAThread; turn++) await server.turn(threadId);
  if (kind !== "bare") await server.request("thread/archive", { threadId });
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
