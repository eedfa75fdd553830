import { median, timed } from "../../measure.js";
import { AppServer } from "../app-server.js";
import { type Contest, makePlace, serverIn } from "../contest.js";
import type { AnswerName } from "../model-answers.js";
import { type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

/** What a turn costs in a server that has been up for a while: plain, and with one command. */
export async function turnRows(contest: Contest): Promise<Row[]> {
  return [
    ...(await plainRows(contest)),
    ...(await commandRows(contest, "danger-full-access", "full access")),
    ...(await commandRows(contest, "workspace-write", "sandboxed")),
  ];
}

function plainRows(contest: Contest): Promise<Row[]> {
  const turns = contest.short ? 10 : 40;
  return withServers(contest, { answer: "hello", warmUp: turns }, plainHeads, (server) =>
    measureTurns(server, turns),
  );
}

const plainHeads: RowHead[] = [
  { key: "turn.wall", name: "plain turn, wall", unit: "ms", better: "less" },
  { key: "turn.cpu", name: "plain turn, CPU", unit: "ms", better: "less" },
];

function commandRows(contest: Contest, sandbox: string, how: string): Promise<Row[]> {
  const key = sandbox === "workspace-write" ? "command.sandboxed" : "command";
  const name = `turn with one command (${how}), wall`;
  const head: RowHead = { key, name, unit: "ms", better: "less" };
  const turns = contest.short ? 3 : 10;
  // The bare program has no sandbox.
  const sides = contest.sides.filter(
    ({ kind }) => kind !== "bare" || sandbox !== "workspace-write",
  );
  const plan = { answer: "command" as const, warmUp: turns, sandbox };
  return withServers({ ...contest, sides }, plan, [head], async (server) => {
    const before = server.succeeded;
    const [wall] = await measureTurns(server, turns);
    const ran = server.succeeded - before;
    if (ran !== turns) throw new Error(`${ran} of ${turns} commands ended well`);
    return [wall];
  });
}

/** A new thread each round, so that what a request carries stays the same. */
async function measureTurns(server: AppServer, turns: number): Promise<number[]> {
  const thread = await server.startThread();
  const cpu = server.cpuMs;
  const walls: number[] = [];
  for (let turn = 0; turn < turns; turn++) walls.push(await timed(() => server.turn(thread)));
  return [median(walls), (server.cpuMs - cpu) / turns];
}

interface Plan {
  answer: AnswerName;
  /** Turns before the first round. */
  warmUp: number;
  sandbox?: string;
}

/** One server a side for all rounds. */
export async function withServers(
  contest: Contest,
  { answer, warmUp, sandbox }: Plan,
  heads: readonly RowHead[],
  measure: (server: AppServer, side: Side) => Promise<readonly (number | undefined)[]>,
): Promise<Row[]> {
  const servers = new Map<Side, AppServer>();
  try {
    return await rounds(contest, heads, async (side) => {
      const known = servers.get(side);
      if (known !== undefined) return measure(known, side);
      const server = await AppServer.start(
        serverIn(makePlace(contest, side, answer, sandbox), side),
      );
      servers.set(side, server);
      const thread = await server.startThread();
      for (let turn = 0; turn < warmUp; turn++) await server.turn(thread);
      return measure(server, side);
    });
  } finally {
    await Promise.all([...servers.values()].map((server) => server.end()));
  }
}
