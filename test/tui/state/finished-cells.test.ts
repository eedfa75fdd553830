import { expect, test } from "vitest";
import type { Cell } from "../../../src/tui/state/cell.js";
import { CommandOutput } from "../../../src/tui/state/command-output.js";
import { FinishedCells } from "../../../src/tui/state/finished-cells.js";

function command(id: number, output: string): Cell {
  const kept = new CommandOutput();
  kept.push(output);
  const item = {
    type: "commandExecution",
    id: String(id),
    command: "x",
    status: "completed",
  } as const;
  return { kind: "command", item, output: kept, startedAt: 0, isDone: true };
}

test("only the newest of very many cells are kept", () => {
  const cells = new FinishedCells();

  for (let at = 0; at < 20_000; at += 1) {
    cells.add([{ kind: "notice", level: "info", text: String(at) }]);
  }

  expect(cells.all.length).toBeGreaterThanOrEqual(5000);
  expect(cells.all.length).toBeLessThanOrEqual(5500);
  expect(cells.all.at(-1)).toMatchObject({ text: "19999" });
});

test("commands with much output are dropped at the memory limit", () => {
  const cells = new FinishedCells();
  const output = "x".repeat(500_000);

  for (let at = 0; at < 2000; at += 1) cells.add([command(at, output)]);

  const characters = cells.all.reduce(
    (sum, cell) => sum + (cell.kind === "command" ? cell.output.keptLength : 0),
    0,
  );
  expect(characters).toBeLessThan(40 * 1024 * 1024);
  expect(cells.all.length).toBeGreaterThan(100);
  expect(cells.all.at(-1)).toMatchObject({ item: { id: "1999" } });
});
