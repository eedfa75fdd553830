import { expect, test } from "vitest";
import type { Component, Terminal } from "../../../src/tui/pi.js";
import { Screen, type ScreenOptions } from "../../../src/tui/screen/screen.js";
import { hyperlink } from "../../../src/tui/text/hyperlink.js";
import { MemoryScreen } from "../../support/screen.js";

const marker = "\x1b_pi:c\x07";

function start(lines: () => string[], options: ScreenOptions = {}) {
  const memory = new MemoryScreen(40, 8);
  const written: string[] = [];
  const terminal = {
    columns: 40,
    rows: 8,
    start: () => {},
    stop: () => written.push("<stop>"),
    hideCursor: () => {},
    write(text: string) {
      written.push(text);
      memory.write(text);
    },
  } as unknown as Terminal;
  const screen = new Screen(terminal, { now: () => 0, sleep: async () => {} }, options);
  screen.addChild({ render: lines, invalidate: () => {} } as Component);
  screen.start();
  screen.drawNow();
  return { screen, memory, written };
}

test("printed lines go above the live ones and are drawn once", () => {
  const { screen, memory, written } = start(() => ["live"]);
  screen.print(["one", "two"]);
  screen.drawNow();
  screen.drawNow();
  expect(memory.lines()).toEqual(["one", "two", "live"]);
  expect(written.join("").split("one")).toHaveLength(2);
  expect(screen.counts.frames).toBeGreaterThan(1);
});

test("a live line that is too wide is cut to one row", () => {
  const { memory } = start(() => ["x".repeat(60)]);
  expect(memory.lines()).toEqual([`${"x".repeat(39)}…`]);
});

test("a frame whose terminal changes its width meanwhile is drawn for the new one", () => {
  const memory = new MemoryScreen(40, 8);
  let columns = 40;
  const terminal = {
    get columns() {
      return columns;
    },
    rows: 8,
    start: () => {},
    hideCursor: () => {},
    write: (text: string) => memory.write(text),
  } as unknown as Terminal;
  const screen = new Screen(terminal, { now: () => 0, sleep: async () => {} });
  const drawn: number[] = [];
  const render = (width: number) => {
    drawn.push(width);
    columns = 20;
    return ["x".repeat(width)];
  };
  screen.addChild({ render, invalidate: () => {} } as Component);
  screen.start();
  screen.drawNow();

  expect(drawn).toEqual([40, 20]);
  expect(memory.lines()).toEqual(["x".repeat(20)]);
});

test("modes are switched on with the screen, and off when it pauses or stops", () => {
  const modes = { on: "\x1b[?1004h", off: "\x1b[?1004l" };
  const { screen, written } = start(() => ["live"], { modes });
  expect(written[0]).toBe(modes.on);
  written.length = 0;
  screen.pause();
  expect(written.join("")).toContain(modes.off);
  expect(written.at(-1)).toBe("<stop>");
  written.length = 0;
  screen.start();
  expect(written.join("")).toContain(modes.on);
});

test("stopping leaves what was printed and the last lines, and removes the live ones", () => {
  const { screen, memory } = start(() => ["live", "footer"]);
  screen.print(["kept"]);
  screen.stop(["", "summary"]);
  expect(memory.lines()).toEqual(["kept", "", "summary"]);
  screen.stop(["again"]);
  expect(memory.lines()).toEqual(["kept", "", "summary"]);
});

test("a full-screen component covers the lines, which come back unchanged", () => {
  const { screen, memory } = start(() => ["live"]);
  screen.print(["kept"]);
  screen.drawNow();
  const page = { render: () => ["page", "end"], invalidate: () => {} } as Component;
  screen.openFull(page);
  screen.drawNow();
  expect(memory.lines()).toEqual(["page", "end"]);
  screen.closeFull(page);
  screen.drawNow();
  expect(memory.lines()).toEqual(["kept", "live"]);
});

test("only rows of the page that changed are written again", () => {
  let second = "b";
  const page = { render: () => ["a", second], invalidate: () => {} } as Component;
  const { screen, written } = start(() => []);
  screen.openFull(page);
  screen.drawNow();
  written.length = 0;
  second = "c";
  screen.drawNow();
  expect(written.join("")).toBe("\x1b[2;1H\x1b[2Kc\x1b[0m");
});

test("hyperlinks are left out for terminals that would print them", () => {
  const link = hyperlink("https://example.com", "here");
  const plain = start(() => [link], { hasLinks: false });
  const linked = start(() => [link]);
  expect(plain.written.join("")).not.toContain("\x1b]8;");
  expect(linked.written.join("")).toContain("\x1b]8;;https://example.com\x1b\\");
  expect(plain.memory.lines()).toEqual(["here"]);
});

test("the cursor is put where a component marks it", () => {
  const { memory } = start(() => ["first", `> ab${marker}\x1b[7m \x1b[0m`]);
  expect(memory.lines()).toEqual(["first", "> ab"]);
  expect(memory.cursor).toEqual({ row: 1, column: 4 });
});

test("nothing is drawn after a pause until the screen starts again", () => {
  let text = "one";
  const { screen, memory } = start(() => [text]);
  screen.pause();
  text = "two";
  screen.requestRender();
  screen.drawNow();
  expect(memory.lines()).toEqual([]);
  screen.start();
  screen.drawNow();
  expect(memory.lines()).toEqual(["two"]);
});
