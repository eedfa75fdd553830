import { describe, expect, test } from "vitest";
import type { OpenedThread } from "../../../src/cli/exec/connect.js";
import { textPrinter } from "../../../src/cli/exec/text-printer.js";
import type { ServerNotification } from "../../../src/client/index.js";
import { createIo } from "../support/in-process.js";

const opened = {
  thread: { id: "thread-1" },
  cwd: "/w",
  model: "m",
  modelProvider: "p",
  approvalPolicy: "never",
  sandbox: { type: "readOnly" },
  reasoningEffort: null,
} as unknown as OpenedThread;

/** Prints to collected streams. */
function createPrinter(options: { isTTY?: boolean; hasColor?: boolean } = {}) {
  const { io, written } = createIo({ isTTY: options.isTTY ?? false });
  const hasColor = options.hasColor ?? false;
  const printer = textPrinter(io, { version: "9.9.9", hasColor });
  const send = (method: string, params: object) =>
    printer.notification({ method, params } as unknown as ServerNotification);
  return { printer, send, written };
}

describe("progress for people", () => {
  test("starts with the settings and the prompt", () => {
    const { printer, written } = createPrinter();
    printer.begin(opened, "do it\u001b[2J");

    expect(written.stderr.split("\n").slice(1)).toEqual([
      "--------",
      "workdir: /w",
      "model: m",
      "provider: p",
      "approval: never",
      "sandbox: read-only",
      "reasoning effort: none",
      "session id: thread-1",
      "--------",
      "user",
      expect.stringMatching(/^do it/),
      "",
    ]);
    expect(written.stderr).toContain("9.9.9");
    expect(written.stderr).not.toContain("\u001b");
    expect(written.stdout).toBe("");
  });

  test.each([
    [
      "item/started",
      { item: { type: "commandExecution", command: "ls", cwd: "/w" } },
      "exec\nls in /w\n",
    ],
    [
      "item/started",
      { item: { type: "mcpToolCall", server: "s", tool: "t" } },
      "mcp: s/t started\n",
    ],
    ["item/started", { item: { type: "agentMessage", text: "x" } }, ""],
    ["item/completed", { item: { type: "agentMessage", text: "hi" } }, "codex\nhi\n"],
    ["item/completed", { item: { type: "reasoning", summary: ["a", "b"] } }, "a\nb\n"],
    ["item/completed", { item: { type: "reasoning", summary: [] } }, ""],
    [
      "item/completed",
      {
        item: {
          type: "commandExecution",
          status: "completed",
          durationMs: 5,
          aggregatedOutput: "out\n",
        },
      },
      " succeeded in 5ms:\nout\n",
    ],
    [
      "item/completed",
      { item: { type: "commandExecution", status: "failed", exitCode: 3, aggregatedOutput: " " } },
      " exited 3:\n",
    ],
    ["item/completed", { item: { type: "commandExecution", status: "declined" } }, " declined:\n"],
    [
      "item/completed",
      {
        item: {
          type: "fileChange",
          status: "completed",
          changes: [
            { path: "a", kind: { type: "add" } },
            { path: "b", kind: { type: "update" } },
            { path: "c", kind: { type: "delete" } },
          ],
        },
      },
      "patch: completed\nA a\nM b\nD c\n",
    ],
    [
      "item/completed",
      {
        item: {
          type: "mcpToolCall",
          server: "s",
          tool: "t",
          status: "failed",
          error: { message: "no" },
        },
      },
      "mcp: s/t (failed)\nno\n",
    ],
    ["item/completed", { item: { type: "webSearch", query: "q" } }, "web search: q\n"],
    [
      "item/completed",
      { item: { type: "imageGeneration", status: "completed", savedPath: "/home/ig_1.png" } },
      "image: /home/ig_1.png\n",
    ],
    ["item/completed", { item: { type: "contextCompaction" } }, "context compacted\n"],
    [
      "turn/plan/updated",
      {
        explanation: "why",
        plan: [
          { step: "a", status: "completed" },
          { step: "b", status: "inProgress" },
          { step: "c", status: "pending" },
        ],
      },
      "why\n  ✓ a\n  → b\n  • c\n",
    ],
    ["error", { error: { message: "bad", additionalDetails: "why" } }, "ERROR: bad (why)\n"],
    ["error", { error: { message: "bad" } }, "ERROR: bad\n"],
    ["warning", { message: "careful" }, "warning: careful\n"],
    ["configWarning", { summary: "s", details: "d" }, "warning: s (d)\n"],
    ["deprecationNotice", { summary: "s", details: null }, "warning: s\n"],
    ["turn/started", {}, ""],
  ])("%s %j", (method, params, text) => {
    const { send, written } = createPrinter();
    send(method, params);

    expect(written).toEqual({ stdout: "", stderr: text });
  });

  test("keeps the beginning and the end of long output", () => {
    const { send, written } = createPrinter();
    const aggregatedOutput = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    send("item/completed", {
      item: { type: "commandExecution", status: "completed", aggregatedOutput },
    });
    const lines = written.stderr.trimEnd().split("\n");

    expect(lines).toHaveLength(42);
    expect([lines[1], lines[21], lines[41]]).toEqual(["line 0", "… 60 more lines …", "line 99"]);
  });

  test("uses styles only with color", () => {
    const { send, written } = createPrinter({ hasColor: true });
    send("error", { error: { message: "bad" } });

    expect(written.stderr).toBe("\x1b[1;31mERROR:\x1b[0m bad\n");
  });
});

describe("the final message", () => {
  const usage = {
    tokenUsage: { total: { inputTokens: 1500, cachedInputTokens: 500, outputTokens: 234 } },
  };

  test("goes to standard output, the usage to standard error", () => {
    const { printer, send, written } = createPrinter();
    send("thread/tokenUsage/updated", usage);
    printer.end("done");

    expect(written).toEqual({ stdout: "done\n", stderr: "tokens used\n1.23K\n" });
  });

  test.each([
    [undefined, "shown", ""],
    ["shown", "shown", ""],
    ["other", "shown", "other\n"],
  ])("%j on a terminal that shows %j prints %j", (final, shown, stdout) => {
    const { printer, send, written } = createPrinter({ isTTY: true });
    send("item/completed", { item: { type: "agentMessage", text: shown } });
    printer.end(final);

    expect(written.stdout).toBe(stdout);
  });

  test("has no control characters", () => {
    const { printer, written } = createPrinter();
    printer.end("a\u001b[2Jb");

    expect(written.stdout).not.toContain("\u001b");
  });
});

test("a warning of the program is marked", () => {
  const { printer, written } = createPrinter();
  printer.warn("limit");

  expect(written.stderr).toBe("warning: limit\n");
});
