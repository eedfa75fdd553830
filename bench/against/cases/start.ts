import { AppServer } from "../app-server.js";
import { type Contest, makePlace, type Place, serverIn } from "../contest.js";
import { type Comparison, oncePerSide, type Row, type RowHead, rounds } from "../rounds.js";
import type { Side } from "../side.js";

const heads: RowHead[] = [
  { key: "initialize", name: "spawn to `initialize` reply", unit: "ms", better: "less" },
  { key: "first-turn", name: "spawn to end of first turn", unit: "ms", better: "less" },
  { key: "resident", name: "resident memory after 20 turns", unit: "MB", better: "less" },
];

/** A program is started, takes a turn, and then nineteen more; each round in a new process. */
export const start: Comparison = { heads: () => heads, measure };

function measure(contest: Contest): Promise<Row[]> {
  // The first start of all fills the home; people start many times in the same one.
  const usedPlace = oncePerSide(async (side) => {
    const place = makePlace(contest, side, "hello");
    await startOnce(side, place, 1);
    return place;
  });
  return rounds(contest, heads, async (side) => startOnce(side, await usedPlace(side), 20));
}

async function startOnce(side: Side, place: Place, turns: number): Promise<number[]> {
  const begun = performance.now();
  const server = new AppServer(serverIn(place, side));
  try {
    await server.initialize();
    const initialized = performance.now() - begun;
    const thread = await server.startThread();
    await server.turn(thread);
    const turned = performance.now() - begun;
    for (let turn = 1; turn < turns; turn++) await server.turn(thread);
    return [initialized, turned, server.residentMb];
  } finally {
    await server.end();
  }
}
