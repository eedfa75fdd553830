import { timed } from "../../measure.js";
import type { AppServer } from "../app-server.js";
import type { Contest } from "../contest.js";
import { withServers } from "../kept-servers.js";
import type { Comparison, Row, RowHead } from "../rounds.js";

const head: RowHead = { key: "deltas", name: "text deltas", unit: "/s", better: "more" };

/** Throughput of a long answer, from the request to the end of the turn. */
export const deltas: Comparison = { heads: () => [head], measure };

function measure(contest: Contest): Promise<Row[]> {
  const streamOnce = async (server: AppServer) => {
    const thread = await server.startThread();
    const before = server.deltas;
    const ms = await timed(() => server.turn(thread));
    if (server.deltas === before) throw new Error("no delta came through");
    return [(contest.deltas / ms) * 1000];
  };
  return withServers(contest, { answer: "deltas", warmUp: 1 }, [head], streamOnce);
}
