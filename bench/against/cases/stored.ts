import { rolloutPath } from "../../../src/rollout/index.js";
import { timed } from "../../measure.js";
import { longRolloutId, writeLongRollout, writeManyRollouts } from "../../rollout-files.js";
import { AppServer } from "../app-server.js";
import { type Contest, makePlace, type Place, serverIn } from "../contest.js";
import { type Comparison, oncePerSide, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

/** Cost of recorded threads: resuming a long one, and listing many. */
export const stored: Comparison = {
  heads: (short) => [...resumeHeads(short), ...listHeads(short)],
  measure,
};

async function measure(contest: Contest): Promise<Row[]> {
  // The bare program reads no files.
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  return [...(await resumeRows({ ...contest, sides })), ...(await listRows({ ...contest, sides }))];
}

const megabytesOf = (short: boolean) => (short ? 5 : 100);
const threadsOf = (short: boolean) => (short ? 500 : 10_000);

function resumeHeads(short: boolean): RowHead[] {
  const name = `resume of a ${megabytesOf(short)} MB thread`;
  return [
    { key: "resume", name, unit: "ms", better: "less" },
    { key: "resume.memory", name: `${name}, resident after it`, unit: "MB", better: "less" },
  ];
}

function listHeads(short: boolean): RowHead[] {
  const many = threadsOf(short).toLocaleString("en");
  return [
    { key: "list.page", name: `first page of ${many} threads`, unit: "ms", better: "less" },
    { key: "list.all", name: `all of ${many} threads, by 100`, unit: "ms", better: "less" },
  ];
}

/** From the request to the reply, which holds the whole conversation; each time in a new process. */
function resumeRows(contest: Contest): Promise<Row[]> {
  const filledPlace = oncePerSide(async (side) => {
    const place = makePlace(contest, side, "hello");
    const path = rolloutPath(place.home, new Date(2026, 0, 1), longRolloutId);
    writeLongRollout(path, { megabytes: megabytesOf(contest.short) });
    return place;
  });
  const resumeOnce = async (side: Side) => {
    const server = await AppServer.start(serverIn(await filledPlace(side), side));
    try {
      const resume = () => server.request("thread/resume", { threadId: longRolloutId });
      return [await timed(resume), server.residentMb];
    } finally {
      await server.end();
    }
  };
  return rounds(contest, resumeHeads(contest.short), resumeOnce, Math.min(contest.rounds, 3));
}

/** Each time in a new process, in a home that was listed before. */
function listRows(contest: Contest): Promise<Row[]> {
  const count = threadsOf(contest.short);
  const usedPlace = oncePerSide(async (side) => {
    const place = makePlace(contest, side, "hello");
    writeManyRollouts(place.home, count);
    await listOnce(side, place, count);
    return place;
  });
  const listAgain = async (side: Side) => listOnce(side, await usedPlace(side), count);
  return rounds(contest, listHeads(contest.short), listAgain, Math.min(contest.rounds, 3));
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
