import fc from "fast-check";
import { expect, test } from "vitest";
import { renderCell } from "../../../src/tui/cells/render-cell.js";
import type { Cell } from "../../../src/tui/state/cell.js";
import { cellsOfItem } from "../../../src/tui/state/from-item.js";
import { widthOf } from "../../../src/tui/text/layout.js";
import { createTheme } from "../../../src/tui/theme/theme.js";
import type { WireItem } from "../../../src/tui/wire.js";
import { plainView } from "../view.js";

/** Text full of control sequences, Markdown and diff syntax. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\x1b]52;c;QQ==\x07",
        "\x9b2J",
        "\x1b",
        "\x07",
        "\r",
        "&#27;[2J",
        "&#x9b;2J",
      ),
      fc.constantFrom(
        "\n",
        "```",
        "- ",
        "| a | b |\n|---|---|\n",
        "# ",
        "> ",
        "[x](y)",
        "**",
        "`",
        "@@ -1,2 +1,2 @@\n",
        "+",
        "-",
        "日本",
        "👩‍👩‍👧",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

const items: readonly ((text: string) => WireItem)[] = [
  (text) => ({ type: "userMessage", id: "1", content: [{ type: "text", text }] }),
  (text) => ({
    type: "userMessage",
    id: "1",
    content: [{ type: "skill", name: text, path: text }],
  }),
  (text) => ({ type: "agentMessage", id: "1", text }),
  (text) => ({ type: "reasoning", id: "1", summary: [text] }),
  (text) => ({
    type: "commandExecution",
    id: "1",
    command: text,
    status: "completed",
    aggregatedOutput: text,
  }),
  (text) => ({
    type: "commandExecution",
    id: "1",
    command: text,
    status: "completed",
    commandActions: [{ type: "search", command: text, query: text, path: text }],
  }),
  (text) => ({
    type: "fileChange",
    id: "1",
    status: "completed",
    changes: [{ path: text, kind: { type: "update", move_path: text }, diff: text }],
  }),
  (text) => ({
    type: "fileChange",
    id: "1",
    status: "failed",
    changes: [{ path: text, kind: { type: "add" }, diff: text }],
  }),
  (text) => ({
    type: "mcpToolCall",
    id: "1",
    server: text,
    tool: text,
    status: "completed",
    arguments: { [text]: text },
    result: {
      content: [{ type: "text", text }, { type: text }],
      structuredContent: null,
      _meta: null,
    },
  }),
  (text) => ({
    type: "mcpToolCall",
    id: "1",
    server: text,
    tool: text,
    status: "failed",
    error: { message: text },
  }),
  (text) => ({ type: "webSearch", id: "1", query: text }),
  (text) => ({ type: "imageView", id: "1", path: text }),
  (text) => ({
    type: "dynamicToolCall",
    id: "1",
    tool: text,
    arguments: text,
    status: "completed",
  }),
  (text) => ({ type: "enteredReviewMode", id: "1", review: text }),
  (text) => ({ type: "exitedReviewMode", id: "1", review: text }),
];
const cells: readonly ((text: string) => Cell)[] = [
  (text) => ({ kind: "plan", explanation: text, steps: [{ step: text, status: "pending" }] }),
  (text) => ({ kind: "notice", level: "error", text, hint: text }),
  (text) => ({
    kind: "banner",
    lines: [
      ["", text],
      ["model", text],
    ],
  }),
];

test("whatever a model, command or file outputs, only our styles reach the terminal", () => {
  const view = { ...plainView(30), theme: createTheme("dark") };
  fc.assert(
    fc.property(hostile, fc.integer({ min: 8, max: 50 }), fc.boolean(), (text, width, isFull) => {
      const all = [
        ...items.flatMap((make) => cellsOfItem(make(text))),
        ...cells.map((make) => make(text)),
      ];
      for (const cell of all) {
        for (const line of renderCell(cell, { ...view, width, isFull })) {
          const rest = line.replaceAll(/\x1b\[[\d;]*m/g, "");
          expect(rest).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          expect(
            widthOf(rest),
            `${cell.kind} at ${width}: ${JSON.stringify(rest)}`,
          ).toBeLessThanOrEqual(width);
        }
      }
    }),
    { numRuns: 150 },
  );
});
