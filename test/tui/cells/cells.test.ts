import { expect, test } from "vitest";
import { renderCell } from "../../../src/tui/cells/render-cell.js";
import { inputText } from "../../../src/tui/cells/user.js";
import type { Cell, CommandCell } from "../../../src/tui/state/cell.js";
import { CommandOutput } from "../../../src/tui/state/command-output.js";
import { createTheme, type Theme } from "../../../src/tui/theme/theme.js";
import type { UserInput, WireCommand } from "../../../src/tui/wire.js";
import { plainView } from "../view.js";

const render = (cell: Cell, width = 40, isFull = false) =>
  renderCell(cell, plainView(width, { isFull }));

test("a user message is shown behind a mark", () => {
  const input = [
    { type: "text" as const, text: "first line\nand a second one that is too long for it" },
  ];
  expect(render({ kind: "user", input }, 30)).toEqual([
    "",
    "› first line",
    "  and a second one that is too",
    "  long for it",
  ]);
});

test("only the first block of a message has a bullet, and tight blocks no blank line", () => {
  expect(render({ kind: "agent", source: "Hello", isFirst: true, isTight: false })).toEqual([
    "",
    "• Hello",
  ]);
  expect(render({ kind: "agent", source: "- two", isFirst: false, isTight: true })).toEqual([
    "  - two",
  ]);
});

test("long output is folded, and complete in full view", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
  const cell = command({ command: "/bin/bash -lc 'make test'", aggregatedOutput: lines });
  expect(render(cell)).toEqual([
    "",
    "✓ Ran make test",
    "  └ line 1",
    "    line 2",
    "    line 3",
    "    … 13 more lines (ctrl+t to view all)",
    "    line 17",
    "    line 18",
    "    line 19",
    "    line 20",
  ]);
  expect(render(cell, 40, true)).toHaveLength(22);
});

test("a running command shows its last lines and its duration", () => {
  const output = new CommandOutput();
  output.push("1\n2\n3\n4\n5\n6\n");
  const item: WireCommand = {
    type: "commandExecution",
    id: "c",
    command: "sleep 9",
    status: "inProgress",
  };
  expect(render({ kind: "command", item, output, startedAt: 7_000, isDone: false })).toEqual([
    "",
    "● Running sleep 9 (3s)",
    "  └ … 2 lines above",
    "    3",
    "    4",
    "    5",
    "    6",
  ]);
});

test("a failed command shows its exit code, and a denied one is marked", () => {
  expect(render(command({ status: "failed", exitCode: 2, aggregatedOutput: "no\n" }))).toEqual([
    "",
    "✗ Ran false",
    "  └ no",
    "    exit code 2",
  ]);
  expect(render(command({ status: "declined" }))).toEqual(["", "✗ Denied false"]);
});

test("read-only commands take one line", () => {
  const commandActions = [
    { type: "read" as const, command: "cat a", name: "a.ts", path: "/project/a.ts" },
    { type: "read" as const, command: "cat b", name: "b.ts", path: "/project/b.ts" },
  ];
  const cell = command({ commandActions, aggregatedOutput: "many\nlines\n" });
  expect(render({ kind: "explored", commands: [cell] })).toEqual(["", "✓ Read a.ts, b.ts"]);
});

test("consecutive reads and searches are one block, each subject once", () => {
  const read = (name: string) =>
    command({ commandActions: [{ type: "read", command: "cat", name, path: `/project/${name}` }] });
  const search = (query: string, more: Partial<WireCommand> = {}) =>
    command({ commandActions: [{ type: "search", command: "rg", query, path: "src" }], ...more });
  const commands = [read("a.ts"), read("b.ts"), read("a.ts"), search("greet")];
  commands.push(search("nobody", { status: "failed", exitCode: 1 }));
  expect(render({ kind: "explored", commands }, 70)).toEqual([
    "",
    "✓ Explored 2 files, 2 patterns",
    "  └ Read a.ts, b.ts",
    "    Searched greet in src, nobody in src (nothing found)",
  ]);
  const [first] = commands;
  const running = { ...first, isDone: false } as CommandCell;
  expect(render({ kind: "explored", commands: [running] })).toEqual([
    "",
    "● Exploring",
    "  └ Read a.ts",
  ]);
});

test("the footer of a turn has its time, tokens, cost and changed files", () => {
  const changes = { files: 2, added: 12, removed: 3 };
  const turn = { kind: "turn", durationMs: 65_000, tokens: 1234, changes } as const;
  expect(render({ ...turn, status: "completed", cost: 0.0123 }, 70)).toEqual([
    "",
    "✓ 1m 05s · 1.23K tokens · $0.0123 · 2 files changed +12 -3",
  ]);
  const nothing = { files: 0, added: 0, removed: 0 };
  expect(render({ ...turn, status: "failed", tokens: 0, changes: nothing })).toEqual([
    "",
    "✗ failed after 1m 05s",
  ]);
});

test("the words that differ in a changed line are emphasized", () => {
  const diff = '@@ -1,1 +1,1 @@\n-say("Hello, you?");\n+say("Hello, world!");\n';
  const change = { path: "/project/a.js", kind: { type: "update", move_path: null } } as const;
  const cell = { kind: "patch", status: "completed", changes: [{ ...change, diff }] } as const;
  const lines = (theme: Theme) => renderCell(cell, plainView(40, { theme })).slice(2);
  const colored = createTheme({ name: "dark", depth: "256" });
  expect(lines(colored)).toEqual([
    expect.stringContaining("\x1b[48;5;88myou?\x1b[48;5;52m"),
    expect.stringContaining("\x1b[48;5;28mworld!\x1b[48;5;22m"),
  ]);
  expect(lines(createTheme("mono"))[1]).toContain("\x1b[4mworld!\x1b[24m");
  // Both rows are as wide as the longer one.
  expect(unstyledWidths(lines(colored))).toEqual([29, 29]);
});

function unstyledWidths(lines: readonly string[]): number[] {
  return lines.map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, "").length);
}

test("a file change shows numbered lines", () => {
  const diff = "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -90,2 +90,3 @@\n x\n+y\n z\n";
  const changes = [
    { path: "/project/src/a.ts", kind: { type: "update" as const, move_path: null }, diff },
    { path: "/else/new.txt", kind: { type: "add" as const }, diff: "hello\n" },
  ];
  expect(render({ kind: "patch", changes, status: "completed" })).toEqual([
    "",
    "✓ Edited src/a.ts (+2 -1)",
    "     1  one",
    "     2 -two",
    "     2 +zwei",
    "     3  three",
    "       ⋮",
    "    90  x",
    "    91 +y",
    "    92  z",
    "✓ Added /else/new.txt (+1 -0)",
    "    1 +hello",
  ]);
});

test("a plan is a checklist", () => {
  const steps = [
    { step: "look", status: "completed" as const },
    { step: "write", status: "inProgress" as const },
    { step: "test", status: "pending" as const },
  ];
  expect(render({ kind: "plan", explanation: "in this order", steps })).toEqual([
    "",
    "• Plan",
    "  in this order",
    "  ✓ look",
    "  ▸ write",
    "  ☐ test",
  ]);
});

test("MCP tool calls show their result or error", () => {
  const item = {
    type: "mcpToolCall" as const,
    id: "m",
    server: "docs",
    tool: "find",
    status: "completed" as const,
    arguments: { q: "x" },
    result: {
      content: [{ type: "text", text: "found\nit" }, { type: "image" }],
      structuredContent: null,
      _meta: null,
    },
  };
  expect(render({ kind: "mcp", item, progress: undefined, startedAt: 0 })).toEqual([
    "",
    '✓ Called docs.find({"q":"x"})',
    "  └ found",
    "    it",
    "    <image>",
  ]);
  const failed = { ...item, status: "failed" as const, result: null, error: { message: "gone" } };
  expect(render({ kind: "mcp", item: failed, progress: undefined, startedAt: 0 })).toEqual([
    "",
    '✗ Called docs.find({"q":"x"})',
    "  └ gone",
  ]);
});

test("a search, a warning and an error with a hint", () => {
  expect(
    render({
      kind: "tool",
      title: "Searched the web for",
      detail: "node lts",
      status: "completed",
    }),
  ).toEqual(["", "✓ Searched the web for node lts"]);
  expect(render({ kind: "notice", level: "warning", text: "Careful", hint: "do that" })).toEqual([
    "",
    "⚠ Careful",
    "  do that",
  ]);
  expect(render({ kind: "notice", level: "error", text: "Broken\nbadly" })).toEqual([
    "",
    "■ Broken",
    "  badly",
  ]);
});

function command(more: Partial<WireCommand>): CommandCell {
  const output = new CommandOutput();
  output.push(more.aggregatedOutput ?? "");
  const item: WireCommand = {
    type: "commandExecution",
    id: "c",
    command: "false",
    status: "completed",
    ...more,
  };
  return { kind: "command", item, output, startedAt: 0, isDone: true };
}

test("[terminal R10] an image with a placeholder in the text is shown once", () => {
  const image = { type: "image", url: "data:image/png;base64,AA==" } as const;
  const text = (words: string): UserInput => ({ type: "text", text: words, text_elements: [] });
  expect(inputText([image, text("what is [Image #1]?")])).toBe("what is [Image #1]?");
  expect(inputText([image, image, text("[Image #2] only")])).toBe("[image]\n[Image #2] only");
  expect(inputText([image, text("no name")])).toBe("[image]\nno name");
});
