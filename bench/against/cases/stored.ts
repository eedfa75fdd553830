import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { timed } from "../../measure.js";
import { writeLongRollout, writeManyRollouts } from "../../rollout-files.js";
import { AppServer } from "../app-server.js";
import { type Contest, makePlace, type Place, serverIn } from "../contest.js";
import { type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

/** What recorded threads cost: going on with a long one, and listing many. */
export async function storedRows(contest: Contest): Promise<Row[]> {
  // The bare program reads no files.
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  return [...(await resumeRows({ ...contest, sides })), ...(await listRows({ ...contest, sides }))];
}

const longThread = "0192c7a1-0000-7000-8000-000000000000";

/** From the request to the reply, which holds the whole conversation; each time in a new process. */
function resumeRows(contest: Contest): Promise<Row[]> {
  const megabytes = contest.short ? 5 : 100;
  const name = `resume of a ${megabytes} MB thread`;
  const heads: RowHead[] = [
    { key: "resume", name, unit: "ms", better: "less" },
    { key: "resume.memory", name: `${name}, resident after it`, unit: "MB", better: "less" },
  ];
  const places = new Map<Side, Place>();
  const measure = async (side: Side) => {
    const place = places.get(side) ?? makePlace(contest, side, "hello");
    const file = `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${longThread}.jsonl`;
    const path = join(place.home, file);
    if (!places.has(side)) {
      mkdirSync(dirname(path), { recursive: true });
      writeLongRollout(path, { megabytes });
    }
    places.set(side, place);
    const server = await AppServer.start(serverIn(place, side));
    try {
      const resume = () => server.request("thread/resume", { threadId: longThread });
      return [await timed(resume), server.residentMb];
    } finally {
      await server.end();
    }
  };
  return rounds(contest, heads, measure, Math.min(contest.rounds, 3));
}

/** Each time in a new process, in a home that was listed before. */
function listRows(contest: Contest): Promise<Row[]> {
  const count = contest.short ? 500 : 10_000;
  const many = count.toLocaleString("en");
  const heads: RowHead[] = [
    { key: "list.page", name: `first page of ${many} threads`, unit: "ms", better: "less" },
    { key: "list.all", name: `all of ${many} threads, by 100`, unit: "ms", better: "less" },
  ];
  const places = new Map<Side, Place>();
  const measure = async (side: Side) => {
    const place = places.get(side) ?? makePlace(contest, side, "hello");
    if (!places.has(side)) writeManyRollouts(place.home, count);
    if (!places.has(side)) await listOnce(side, place, count);
    places.set(side, place);
    return listOnce(side, place, count);
  };
  return rounds(contest, heads, measure, Math.min(contest.rounds, 3));
}

async function listOnce(side: Side, place: Place, count: number): Promise<number[]> {
  const server = await AppServer.start(serverIn(place, side));
  try {
    const first = await timed(() => listPage(server, null, 25));
    let found = 0;
    const all = await timed(async () => {
      for (let cursor: string | null = null; ; ) {
        const page: Page = await listPage(server, cursor, 100);
        found += page.data.length;
        cursor = page.nextCursor;
        if (cursor === null) return;
      }
    });
    if (found < count) throw new Error(`of ${count} threads ${found} were listed`);
    return [first, all];
  } finally {
    await server.end();
  }
}

interface Page {
  data: unknown[];
  nextCursor: string | null;
}

function listPage(server: AppServer, cursor: string | null, limit: number): Promise<Page> {
  return server.request("thread/list", { cursor, limit, modelProviders: [] });
}
