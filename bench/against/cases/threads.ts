import { timed } from "../../measure.js";
import { AppServer } from "../app-server.js";
import { type Contest, makePlace, serverIn } from "../contest.js";
import type { AnswerName } from "../model-answers.js";
import { type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

/** Many threads in one server: what one more costs in memory, and many turns at once. */
export async function threadRows(contest: Contest): Promise<Row[]> {
  return [...(await atOnceRows(contest)), ...(await memoryRows(contest))];
}

/** Each round in a new process: the threads are started and run a command, all at once. */
function atOnceRows(contest: Contest): Promise<Row[]> {
  const count = contest.short ? 10 : 50;
  const name = `${count} threads with one command each, at once`;
  const head: RowHead = { key: "at-once", name, unit: "ms", better: "less" };
  return rounds(contest, [head], (side) =>
    inServer(contest, side, "command-once", async (server) => {
      const one = async () => server.turn(await server.startThread());
      await one();
      return [await timed(() => Promise.all(Array.from({ length: count }, one)))];
    }),
  );
}

/** Threads that have taken a plain turn and wait for the next. */
function memoryRows(contest: Contest): Promise<Row[]> {
  const count = contest.short ? 20 : 200;
  const name = `memory a thread (${count} threads)`;
  const head: RowHead = { key: "thread.memory", name, unit: "MB", better: "less" };
  const measure = (side: Side) =>
    inServer(contest, side, "hello", async (server) => {
      const one = async () => server.turn(await server.startThread());
      const tenTimes = () => Promise.all(Array.from({ length: 10 }, one));
      await tenTimes();
      const before = server.residentMb;
      for (let started = 0; started < count; started += 10) await tenTimes();
      return [(server.residentMb - before) / count];
    });
  return rounds(contest, [head], measure, Math.min(contest.rounds, 3));
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
