import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { cellImages } from "../../../src/tui/cells/images.js";
import type { ImageProtocol } from "../../../src/tui/images/terminal-images.js";
import { TerminalImages } from "../../../src/tui/images/terminal-images.js";
import type { Cell } from "../../../src/tui/state/cell.js";

/** One red pixel, and four by two pixels in one color each. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const user: Cell = {
  kind: "user",
  input: [{ type: "image", url: `data:image/png;base64,${dot}` }],
};
const view = (protocol: ImageProtocol) => ({ protocol, cell: { width: 8, height: 16 }, rows: 4 });

/** A PNG of 24-bit pixels without checksums. */
function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows))]);
}

const nothing = () => undefined;

test("kitty draws an image above the line, and the cursor returns", () => {
  const lines = cellImages(user, view("kitty"), 80, nothing);

  expect(lines.slice(0, -1).every((line) => line === "")).toBe(true);
  expect(lines.at(-1)).toMatch(/^\x1b7(?:\x1b\[\d+A)?\r\x1b\[2C\x1b_G.*C=1.*\x1b\\\x1b8$/);
  expect(lines.at(-1)).toContain(dot);
});

test("iTerm2 draws any format", () => {
  const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const cell: Cell = {
    kind: "user",
    input: [{ type: "image", url: `data:image/gif;base64,${gif}` }],
  };

  expect(cellImages(cell, view("iterm2"), 80, nothing).at(-1)).toContain("\x1b]1337;File=");
  expect(cellImages(cell, view("kitty"), 80, nothing)).toEqual([]);
});

test("sixel draws the pixels in their colors", () => {
  const rows = Buffer.from([0, 255, 0, 0, 0, 0, 255]); // a red pixel and a blue one
  const url = `data:image/png;base64,${pngOf(2, 1, rows).toString("base64")}`;
  const cell: Cell = { kind: "user", input: [{ type: "image", url }] };

  const last = cellImages(cell, view("sixel"), 80, nothing).at(-1) ?? "";

  expect(last).toMatch(/\x1bP0;1q"1;1;\d+;\d+#180;2;100;0;0#5;2;0;0;100#180/);
});

test.each<[string, Cell]>([
  [
    "a broken image",
    { kind: "user", input: [{ type: "image", url: "data:image/png;base64,AAAA" }] },
  ],
  ["an address", { kind: "user", input: [{ type: "image", url: "https://example.com/a.png" }] }],
  [
    "a file that is not there",
    { kind: "tool", title: "Viewed", detail: "/a", status: "completed", imagePath: "/a" },
  ],
])("%s stays text", (_, cell) => {
  for (const protocol of ["kitty", "iterm2", "sixel"] as const) {
    expect(cellImages(cell, view(protocol), 80, nothing)).toEqual([]);
  }
});

test("pictures of tools are drawn", () => {
  const viewed: Cell = {
    kind: "tool",
    title: "Viewed",
    detail: "/a",
    status: "completed",
    imagePath: "/a",
  };
  const generated: Cell = {
    kind: "tool",
    title: "Generated",
    detail: "",
    status: "completed",
    image: dot,
  };
  const read = () => `data:image/png;base64,${dot}`;

  expect(cellImages(viewed, view("kitty"), 80, read).at(-1)).toContain(dot);
  expect(cellImages(generated, view("kitty"), 80, nothing).at(-1)).toContain(dot);
});

test.each([
  [{ TERM: "xterm-kitty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm2"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "iterm2"],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "iTerm.app" }, undefined],
  [{ TERM: "xterm-kitty", NO_COLOR: "1" }, undefined],
  [{ TERM: "xterm-256color" }, undefined],
])("the environment %j means %s", (env, protocol) => {
  expect(new TerminalImages(env, () => {}).protocol).toBe(protocol);
});

test("a terminal that reports sixel graphics and the size of its cells gets them", () => {
  const images = new TerminalImages({ TERM: "xterm-256color" }, () => {});

  expect(images.follow("\x1b[?62;4;22c")).toBe(true);
  expect(images.follow("\x1b[6;20;10t")).toBe(true);
  expect(images.follow("c")).toBe(false);
  expect(images).toMatchObject({ protocol: "sixel", cell: { width: 10, height: 20 } });
});

test("a plain terminal is asked nothing", () => {
  let written = "";
  for (const env of [{ TERM: "dumb" }, { TERM: "xterm", NO_COLOR: "1" }]) {
    new TerminalImages(env, (text) => {
      written += text;
    }).ask();
  }
  expect(written).toBe("");
});
