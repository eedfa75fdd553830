import fc from "fast-check";
import { expect, test } from "vitest";
import { type Frame, LiveRegion } from "../../../src/tui/screen/live-region.js";
import { MemoryScreen } from "../../support/screen.js";

function frame(live: string[], finished: string[] = [], more: Partial<Frame> = {}): Frame {
  return { live, finished, cursor: undefined, columns: 40, rows: 6, ...more };
}

test("finished lines go above the live ones and are written once", () => {
  const screen = new MemoryScreen(40, 6);
  const region = new LiveRegion();
  screen.write(region.next(frame(["> "])));
  screen.write(region.next(frame(["working", "> "], ["one", "two"])));
  const text = region.next(frame(["working 1s", "> "]));
  screen.write(text);

  expect(screen.lines()).toEqual(["one", "two", "working 1s", ">"]);
  expect(text).not.toContain("two");
});

test("lines that do not fit scroll off in order", () => {
  const screen = new MemoryScreen(40, 6);
  const region = new LiveRegion();
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  screen.write(region.next(frame(["> "])));
  for (const line of lines) screen.write(region.next(frame(["busy", "> "], [line])));
  screen.write(region.next(frame(["> "])));

  expect([...screen.scrollback, ...screen.lines()]).toEqual([...lines, ">"]);
});

test("removed lines leave nothing behind", () => {
  const screen = new MemoryScreen(40, 6);
  const region = new LiveRegion();
  screen.write(region.next(frame(["a", "b", "c", "d"])));
  screen.write(region.next(frame(["a"])));
  screen.write(region.next(frame(["x", "y"], ["done"])));
  expect(screen.lines()).toEqual(["done", "x", "y"]);
});

test("only the cursor is moved if nothing else changed", () => {
  const region = new LiveRegion();
  region.next(frame(["a", "b"], [], { cursor: { row: 1, column: 1 } }));
  expect(region.next(frame(["a", "b"], [], { cursor: { row: 0, column: 1 } }))).toBe(
    "\x1b[?2026h\x1b[1A\x1b[2G\x1b[?25h\x1b[?2026l",
  );
});

test("the cursor position is right, also if the top is cut off", () => {
  const screen = new MemoryScreen(40, 3);
  const region = new LiveRegion();
  const live = ["1", "2", "3", "4", "> text", "foot"];
  screen.write(region.next(frame(live, [], { rows: 3, cursor: { row: 4, column: 6 } })));
  expect(screen.lines()).toEqual(["4", "> text", "foot"]);
  expect(screen.cursor).toEqual({ row: 1, column: 6 });
});

test("the terminal shows every finished and live line once", () => {
  const lines = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 8 });
  const frames = fc.array(
    fc.record({
      live: fc.array(fc.stringMatching(/^[A-Z]{1,8}$/), { minLength: 1, maxLength: 5 }),
      finished: lines,
      row: fc.nat(4),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(frames, (all) => {
      const screen = new MemoryScreen(40, 6);
      const region = new LiveRegion();
      for (const { live, finished, row } of all) {
        const cursor = { row: Math.min(row, live.length - 1), column: 0 };
        screen.write(region.next(frame(live, finished, { cursor })));
      }
      const shown = [...screen.scrollback, ...screen.lines()];
      expect(shown).toEqual([
        ...all.flatMap(({ finished }) => finished),
        ...(all.at(-1)?.live ?? []),
      ]);
    }),
  );
});

test("[terminal M1] erasing the region leaves nothing behind, and the cursor at its top", () => {
  const screen = new MemoryScreen(40, 6);
  const region = new LiveRegion();
  screen.write(region.next(frame(["a", "b", "c"], ["done"], { cursor: { row: 1, column: 2 } })));
  const text = region.erase();
  screen.write(text);
  screen.write("next");
  expect(screen.lines()).toEqual(["done", "next"]);
  expect(text).not.toContain("\x1b[J");
});

test("a resize of a region that fills the screen leaves none of it in the scrollback", () => {
  const screen = new MemoryScreen(40, 6);
  const region = new LiveRegion();
  const live = ["a", "b", "c", "d", "e", "f"];
  const cursor = { row: 5, column: 0 };
  screen.write(region.next(frame(live, [], { cursor })));
  screen.write(region.next(frame(live, [], { cursor, columns: 39 })));

  expect(screen.scrollback).toEqual([]);
  expect(screen.lines()).toEqual(live);
});
