import { renderCell } from "../../src/tui/cells/render-cell.js";
import { loadHighlight, loadLex } from "../../src/tui/markdown/libraries.js";
import { Pages } from "../../src/tui/overlays/pages.js";
import { Transcript } from "../../src/tui/state/transcript.js";
import { createTheme } from "../../src/tui/theme/theme.js";
import type { View } from "../../src/tui/view.js";
import type { WireTurn } from "../../src/tui/wire.js";
import type { Figure } from "../figure.js";
import { percentile } from "../measure.js";

/** Lines of one turn: a message, a command with its output, and an answer with code. */
const answer = `An answer of some words.\n\n\`\`\`ts\n${"const value = compute(1);\n".repeat(10)}\`\`\`\n\n- one\n- two\n- three`;
const output = Array.from({ length: 28 }, (_, index) => `line ${index} of the output`).join("\n");
const linesOfTurn = 50;

/** Time until the transcript page has scrolled, and until it is drawn in another width. */
export async function longPageFigures(short: boolean): Promise<Figure[]> {
  const theme = createTheme("dark");
  const lex = await loadLex();
  const highlight = await loadHighlight(() => theme);
  const view = (width: number): View => ({ width, theme, cwd: "/", now: 0, lex, highlight });
  const rounds = short ? 20 : 100;
  measure(10, view, rounds); // loads and compiles what both need
  const long = measure(50_000 / linesOfTurn, view, rounds);
  const plain = measure(500 / linesOfTurn, view, rounds);
  const figure = (key: string, name: string, value: number, beside: number): Figure => ({
    key: `tui.page.${key}`,
    name,
    value,
    unit: "ms",
    beside: { name: "a page of 500 lines", value: beside },
    aim: { atMost: 50 },
  });
  return [
    figure("open", "to open a transcript of 50,000 lines", long.open, plain.open),
    figure("scroll", "  to scroll it by a page (19 of 20)", long.scroll, plain.scroll),
    figure("resize", "  to draw it in another width (19 of 20)", long.resize, plain.resize),
  ];
}

function measure(turns: number, view: (width: number) => View, rounds: number) {
  const transcript = new Transcript();
  for (let index = 0; index < turns; index += 1) transcript.addTurn(turnOf(index));
  const cells = transcript.finished;
  const terminal = { rows: 40 };
  const time = (action: () => void) => {
    const begun = performance.now();
    action();
    return performance.now() - begun;
  };
  let pages!: Pages;
  const open = time(() => {
    const parts = cells.map((cell) => (own: View) => renderCell(cell, own));
    pages = new Pages("Session", parts, { terminal, view, close() {} }, "end");
    pages.render(120);
  });
  const scroll = Array.from({ length: rounds }, () =>
    time(() => {
      pages.handleInput("\x1b[5~");
      pages.render(120);
    }),
  );
  const resize = Array.from({ length: rounds }, (_, index) =>
    time(() => void pages.render(80 + (index % 40))),
  );
  return { open, scroll: percentile(scroll, 0.95), resize: percentile(resize, 0.95) };
}

function turnOf(index: number): WireTurn {
  return {
    id: `turn-${index}`,
    status: "completed",
    items: [
      {
        type: "userMessage",
        id: `u${index}`,
        content: [{ type: "text", text: "Do it.", text_elements: [] }],
      },
      {
        type: "commandExecution",
        id: `c${index}`,
        command: "npm test",
        cwd: "/",
        status: "completed",
        commandActions: [],
        aggregatedOutput: output,
        exitCode: 0,
        durationMs: 10,
      },
      { type: "agentMessage", id: `a${index}`, text: answer },
    ],
  } as unknown as WireTurn;
}
