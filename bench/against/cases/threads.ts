import { timed } from "../../measure.js";
import { AppServer } from "../app-server.js";
import { type Contest, makePlace, serverIn } from "../contest.js";
import type { AnswerName } from "../model-answers.js";
import { type Comparison, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

/** Cost of many threads in one server: memory per thread, and many turns at once. */
export const threads: Comparison = {
  heads: (short) => [atOnceHead(short), memoryHead(short)],
  measure,
};

async function measure(contest: Contest): Promise<Row[]> {
  return [...(await atOnceRows(contest)), ...(await memoryRows(contest))];
}

const atOnceCount = (short: boolean) => (short ? 10 : 50);
const idleCount = (short: boolean) => (short ? 20 : 200);

function atOnceHead(short: boolean): RowHead {
  const name = `${atOnceCount(short)} threads with one command each, at once`;
  return { key: "at-once", name, unit: "ms", better: "less" };
}

function memoryHead(short: boolean): RowHead {
  const name = `memory a thread (${idleCount(short)} threads)`;
  return { key: "thread.memory", name, unit: "MB", better: "less" };
}

/** Each round in a new process: the threads are started and run a command, all at once. */
function atOnceRows(contest: Contest): Promise<Row[]> {
  const count = atOnceCount(contest.short);
  return rounds(contest, [atOnceHead(contest.short)], (side) =>
    inServer(contest, side, "command-once", async (server) => {
      const one = async () => server.turn(await server.startThread());
      await one();
      return [await timed(() => Promise.all(Array.from({ length: count }, one)))];
    }),
  );
}

/** Threads that have taken a plain turn and wait for the next. */
function memoryRows(contest: Contest): Promise<Row[]> {
  const count = idleCount(contest.short);
  const growth = (side: Side) =>
    inServer(contest, side, "hello", async (server) => {
      const one = async () => server.turn(await server.startThread());
      const tenTimes = () => Promise.all(Array.from({ length: 10 }, one));
      await tenTimes();
      const before = server.residentMb;
      for (let started = 0; started < count; started += 10) await tenTimes();
      return [(server.residentMb - before) / count];
    });
  return rounds(contest, [memoryHead(contest.short)], growth, Math.min(contest.rounds, 3));
}

async function inServer<Result>(
  contest: Contest,
  side: Side,
  answer: AnswerName,
  work: (server: AppServer) => Promise<Result>,
): Promise<Result> {
  const server = await AppServer.start(
    serverIn(makePlace(contest, side, answer, "danger-full-access"), side),
  );
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
