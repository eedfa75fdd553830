import { describe, expect, test } from "vitest";
import { says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the composer", () => {
  test("@ completes files by fuzzy match", async () => {
    await using terminal = await startTerminal({
      model: [says("Seen.")],
      files: { "readme.md": "", "main-view.ts": "", "other.ts": "" },
    });
    await terminal.until("Describe a task");

    await terminal.type("look at @mvts");
    await terminal.until("› main-view.ts");
    await terminal.keys("Tab");
    await terminal.until("› look at main-view.ts");
    await terminal.keys("Enter");

    await terminal.until("Seen.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("look at main-view.ts");
  });

  test("/ lists the commands and runs the selected one", async () => {
    await using terminal = await startTerminal({});
    await terminal.until("Describe a task");
    await terminal.type("/sta");
    await terminal.until("› /status");
    await terminal.keys("Enter");

    const screen = await terminal.until("session ");
    expect(screen).toMatch(/model +mock-model/);
    expect(screen).toMatch(/permissions +full access/);
  });

  test("a long paste is collapsed until it is sent", async () => {
    await using terminal = await startTerminal({ model: [says("Read.")] });
    await terminal.until("Describe a task");
    const lines = Array.from({ length: 30 }, (_, index) => `pasted line ${index}`).join("\n");

    await terminal.tmux("set-buffer", lines);
    await terminal.tmux("paste-buffer", "-p");
    await terminal.until("[paste #1 +30 lines]");
    await terminal.keys("Enter");

    await terminal.until("Read.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("pasted line 29");
  });

  test("! runs a shell command", async () => {
    await using terminal = await startTerminal({});
    await terminal.until("Describe a task");
    await terminal.type("!echo from $((40+2))");
    await terminal.keys("Enter");

    await terminal.until(/You ran echo from \$\(\(40\+2\)\)\n +└ from 42/);
  });

  test("up recalls sent messages and ctrl+r searches them, also in the next session", async () => {
    await using terminal = await startTerminal({ model: [says("One."), says("Two.")] });
    await terminal.until("Describe a task");
    await terminal.type("first thing");
    await terminal.keys("Enter");
    await terminal.until("One.");
    await terminal.type("second thing");
    await terminal.keys("Enter");
    await terminal.until("Two.");

    await terminal.keys("Up", "Up");
    await terminal.until(/› first thing\n +full access/);
    await terminal.keys("C-c");
    await terminal.keys("C-r");
    await terminal.until("Search sent messages");
    await terminal.type("second");
    await terminal.keys("Enter");

    await terminal.until(/› second thing\n +full access/);
  });

  test("the message can be edited in an external editor", async () => {
    await using terminal = await startTerminal({
      env: { EDITOR: "sh -c 'echo written outside >> \"$1\"' sh" },
    });
    await terminal.until("Describe a task");
    await terminal.type("begun here ");
    await terminal.keys("C-g");

    expect(await terminal.until("written outside")).toContain("› begun here");
  });
});
