import { AppServer } from "./app-server.js";
import { type Contest, makePlace, serverIn } from "./contest.js";
import type { AnswerName } from "./model-answers.js";
import { type Measure, oncePerSide, type Row, type RowHead, rounds } from "./rounds.js";

/** Purpose of the servers. */
export interface ServerPlan {
  answer: AnswerName;
  /** Turns before the first round. */
  warmUp: number;
  sandbox?: string;
}

/** One server a side for all rounds. */
export async function withServers(
  contest: Contest,
  { answer, warmUp, sandbox }: ServerPlan,
  heads: readonly RowHead[],
  measure: (server: AppServer) => ReturnType<Measure>,
): Promise<Row[]> {
  const started: AppServer[] = [];
  const warmServer = oncePerSide(async (side) => {
    const place = makePlace(contest, side, answer, sandbox);
    const server = await AppServer.start(serverIn(place, side));
    started.push(server);
    const thread = await server.startThread();
    for (let turn = 0; turn < warmUp; turn++) await server.turn(thread);
    return server;
  });
  try {
    return await rounds(contest, heads, async (side) => measure(await warmServer(side)));
  } finally {
    await Promise.all(started.map((server) => server.end()));
  }
}
