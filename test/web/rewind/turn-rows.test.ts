import { expect, test } from "vitest";
import type { TurnTreeNode } from "../../../src/protocol/rpc/v2/rewind.js";
import { toTurnRows } from "../../../src/web/rewind/turn-rows.js";

function turn(turnId: string, parentTurnId: string | null, isActive = false): TurnTreeNode {
  const facts = { text: turnId, status: "completed" as const, startedAtMs: null };
  return { turnId, parentTurnId, isActive, ...facts, responseIds: [], changedFiles: 0 };
}

test("other branches come before the one of the conversation, one lane to the right", () => {
  const rows = toTurnRows([
    turn("a", null, true),
    turn("b", "a"),
    turn("b2", "b"),
    turn("c", "a", true),
    turn("c1", "c"),
    turn("d", "c", true),
  ]);

  expect(
    rows.map(({ turn: { turnId }, lane, isBranch, isEnd }) => [turnId, lane, isBranch, isEnd]),
  ).toEqual([
    ["a", 0, false, false],
    ["b", 1, true, false],
    ["b2", 1, false, true],
    ["c", 0, false, false],
    ["c1", 1, true, true],
    ["d", 0, false, true],
  ]);
});

test("a conversation of very many turns is one lane", () => {
  const turns = Array.from({ length: 50_000 }, (_, at) =>
    turn(`t${at}`, at === 0 ? null : `t${at - 1}`, true),
  );

  expect(toTurnRows(turns).every(({ lane }) => lane === 0)).toBe(true);
});
