import { expect, test } from "vitest";
import type { Contest } from "../../../bench/against/contest.js";
import { oncePerSide, type RowHead, rounds } from "../../../bench/against/rounds.js";
import type { Side } from "../../../bench/against/side.js";

const head: RowHead = { key: "start", name: "start", unit: "ms", better: "less" };

function sideNamed(name: string): Side {
  return { name, kind: "reference", appServer: [], model: "m" };
}

function contestOf(names: string[], count: number): Contest & { notes: string[] } {
  const notes: string[] = [];
  return {
    sides: names.map(sideNamed),
    model: { baseUrl: () => "", close: async () => {} },
    deltas: 0,
    rounds: count,
    short: true,
    folder: "",
    soakSeconds: 0,
    notes,
    note: (line) => notes.push(line),
  };
}

test("the first side rotates, and each is prepared once", async () => {
  const prepared: string[] = [];
  const prepare = oncePerSide(async ({ name }) => prepared.push(name) * 10);
  let turn = 0;

  const rows = await rounds(contestOf(["a", "b"], 3), [head], async (side) => [
    (await prepare(side)) + turn++,
  ]);

  expect(prepared).toEqual(["a", "b"]);
  expect(rows).toEqual([
    {
      ...head,
      samples: new Map([
        ["a", [10, 13, 14]],
        ["b", [21, 22, 25]],
      ]),
    },
  ]);
});

test("a side that fails once is excluded and reported", async () => {
  const contest = contestOf(["a", "b"], 2);
  let asked = 0;

  const rows = await rounds(contest, [head], async ({ name }) => {
    if (name === "b" && ++asked === 2) throw new Error("it fell over");
    return [1];
  });

  expect(rows).toEqual([{ ...head, samples: new Map([["a", [1, 1]]]) }]);
  expect(contest.notes).toEqual(["b has no start: it fell over"]);
});
