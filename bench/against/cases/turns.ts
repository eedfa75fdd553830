import { median, timed } from "../../measure.js";
import type { AppServer } from "../app-server.js";
import type { Contest } from "../contest.js";
import { withServers } from "../kept-servers.js";
import type { Comparison, Row, RowHead } from "../rounds.js";

/** Cost of a turn in a warm server: plain, and with one command. */
export const turns: Comparison = {
  heads: () => [...plainHeads, freeHead, confinedHead],
  measure,
};

const plainHeads: RowHead[] = [
  { key: "turn.wall", name: "plain turn, wall", unit: "ms", better: "less" },
  { key: "turn.cpu", name: "plain turn, CPU", unit: "ms", better: "less" },
];
const freeHead = commandHead("command", "full access");
const confinedHead = commandHead("command.sandboxed", "sandboxed");

function commandHead(key: string, how: string): RowHead {
  return { key, name: `turn with one command (${how}), wall`, unit: "ms", better: "less" };
}

async function measure(contest: Contest): Promise<Row[]> {
  // The bare program has no sandbox.
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  return [
    ...(await plainRows(contest)),
    ...(await commandRows(contest, freeHead, "danger-full-access")),
    ...(await commandRows({ ...contest, sides }, confinedHead, "workspace-write")),
  ];
}

function plainRows(contest: Contest): Promise<Row[]> {
  const count = contest.short ? 10 : 40;
  return withServers(contest, { answer: "hello", warmUp: count }, plainHeads, (server) =>
    takeTurns(server, count),
  );
}

function commandRows(contest: Contest, head: RowHead, sandbox: string): Promise<Row[]> {
  const count = contest.short ? 3 : 10;
  const plan = { answer: "command" as const, warmUp: count, sandbox };
  return withServers(contest, plan, [head], async (server) => {
    const before = server.succeeded;
    const [wall] = await takeTurns(server, count);
    const ran = server.succeeded - before;
    if (ran !== count) throw new Error(`${ran} of ${count} commands ended well`);
    return [wall];
  });
}

/** Uses a new thread in each round, so that the size of a request stays the same. */
async function takeTurns(server: AppServer, count: number): Promise<number[]> {
  const thread = await server.startThread();
  const cpu = server.cpuMs;
  const walls: number[] = [];
  for (let turn = 0; turn < count; turn++) walls.push(await timed(() => server.turn(thread)));
  return [median(walls), (server.cpuMs - cpu) / count];
}
