import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { says } from "../../../support/model.js";
import { hasTmux, startTerminal, type TestTerminal } from "../../../support/terminal.js";
import { expectTidy, quit, run, send, sizes, untilIdle } from "./walking.js";

/** The smallest PNG: one red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

async function paste(terminal: TestTerminal, text: string): Promise<void> {
  await terminal.tmux("set-buffer", text);
  await terminal.tmux("paste-buffer", "-p");
}

describe.skipIf(!(await hasTmux())).each(sizes)("editing at %i x %i", (columns, rows) => {
  test("chips of pasted text and images are opened, removed and undone", async () => {
    await using terminal = await startTerminal({ columns, rows, model: [says("Seen.")] });
    await untilIdle(terminal);
    const lines = Array.from({ length: 12 }, (_, index) => `pasted ${index}`).join("\n");
    await terminal.type("read ");
    await paste(terminal, lines);
    await terminal.until("› read [paste #1 +12 lines]");
    await terminal.keys("M-o");
    await terminal.until("pasted 11");
    await terminal.keys("C-_");
    await terminal.until("› read [paste #1 +12 lines]");
    await terminal.keys("BSpace");
    await terminal.until((screen) => /› read *\n/.test(screen) && !screen.includes("[paste"));
    await terminal.keys("C-_");
    await terminal.until("› read [paste #1 +12 lines]");

    const path = join(terminal.workspace, "dot.png");
    await writeFile(path, png);
    await paste(terminal, path);
    await terminal.until("[Image #1]");
    await terminal.keys("BSpace", "BSpace");
    await terminal.until((screen) => !screen.includes("[Image #1]"));
    await paste(terminal, path);
    await terminal.until("[Image #");
    await terminal.keys("Enter");
    await terminal.until(/Seen\.[\s\S]*tokens/);
    const sent = JSON.stringify(terminal.model.requests[0]?.body);
    expect(sent).toContain("pasted 11");
    expect(sent.split("data:image/png")).toHaveLength(2);
    await expectTidy(terminal, ["• Seen."]);
    await quit(terminal);
  });

  test("vim keys, other keys, the editor, suggestions and a huge paste", async () => {
    await using terminal = await startTerminal({
      columns,
      rows,
      model: [says("One."), says("Two.")],
      files: { "main-view.ts": "" },
      config: '[tui.keymap.global]\nopen_transcript = "f2"\n',
      env: { EDITOR: "sh -c 'printf edited > \"$1\"' sh" },
    });
    await untilIdle(terminal);
    await run(terminal, "/vim on", "Vim keys are on");
    await terminal.type("one two three");
    await terminal.keys("Escape");
    await terminal.until("NORMAL");
    await terminal.type("0wdwu");
    await terminal.until("› one two three");
    await terminal.type("dd");
    await terminal.until("Describe a task");
    await terminal.type("i");
    await run(terminal, "/vim off", "Vim keys are off");

    await terminal.type("half ");
    await terminal.keys("C-g");
    await terminal.until("› edited");
    await terminal.keys("Enter");
    await terminal.until(/One\.[\s\S]*tokens/);
    await untilIdle(terminal);
    await terminal.type("edi");
    await terminal.until("› edited");
    await terminal.keys("Right");
    await terminal.type(" @mvts");
    await terminal.until("› main-view.ts");
    await terminal.keys("Tab");
    await terminal.until("› edited main-view.ts");
    await terminal.keys("C-c");
    await terminal.keys("F2");
    await terminal.until(/^ Session[\s\S]*q to close/);
    await terminal.keys("q");
    await untilIdle(terminal);

    await paste(terminal, `${"x".repeat(20)}\n`.repeat(500));
    await terminal.until("[paste #1 +500 lines]");
    await terminal.keys("Enter");
    await terminal.until(/Two\.[\s\S]*tokens/);
    await untilIdle(terminal);
    await send(terminal, "/nonsense");
    await terminal.until("Unknown command");
    await terminal.keys("C-c");
    await quit(terminal);
  });
});
