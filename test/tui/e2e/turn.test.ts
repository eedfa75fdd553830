import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, hangs, says } from "../../support/model.js";
import { hasTmux, startTerminal, type TestTerminal } from "../../support/terminal.js";

/** A command that runs until the test lets it end. */
const waits = calls("shell", { command: ["bash", "-c", "until [ -e go ]; do sleep 0.05; done"] });
const letGo = ({ workspace }: TestTerminal) => writeFile(join(workspace, "go"), "");

const asks = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';

describe.skipIf(!(await hasTmux()))("a turn in the terminal", () => {
  test("streams an answer as Markdown, and quits with ctrl+d", async () => {
    await using terminal = await startTerminal({
      model: [says("# Title\n\nSome **bold** words.\n\n- one\n- two\n")],
    });
    await terminal.until("Describe a task");

    await terminal.type("hello");
    await terminal.keys("Enter");
    const screen = await terminal.until(/- two[\s\S]*tokens/);

    expect(screen).toContain("› hello");
    expect(screen).toContain("• Title\n\n  Some bold words.\n\n  - one\n  - two");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");
  });

  test("asks before a command runs, and shows its output", async () => {
    await using terminal = await startTerminal({
      config: asks,
      model: [
        calls("shell", { command: ["bash", "-c", "echo made > made; echo it is made"] }),
        says("All done."),
      ],
    });
    await terminal.until("Describe a task");

    await terminal.type("make it");
    await terminal.keys("Enter");
    const asked = await terminal.until("Allow this command to run?");
    expect(asked).toContain("$ echo made > made; echo it is made");
    expect(existsSync(join(terminal.workspace, "made"))).toBe(false);
    await terminal.type("y");

    const screen = await terminal.until("• All done.");
    expect(screen).toContain("✓ Ran echo made > made; echo it is made\n  └ it is made");
    expect(existsSync(join(terminal.workspace, "made"))).toBe(true);
  });

  test("a denial reaches the model together with the user's instructions", async () => {
    await using terminal = await startTerminal({
      config: asks,
      model: [calls("shell", { command: ["rm", "-rf", "build"] }), says("I will list it instead.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("clean up");
    await terminal.keys("Enter");
    await terminal.until("Allow this command to run?");

    await terminal.type("d");
    await terminal.until("What should the agent do instead?");
    await terminal.type("only list it");
    await terminal.keys("Enter");

    const screen = await terminal.until("I will list it instead.");
    expect(screen).toContain("› only list it");
    await terminal.until("Denied rm -rf build");
    const last = JSON.stringify(terminal.model.requests.at(-1)?.body);
    expect(last).toContain("only list it");
    expect(last).toContain("rejected by user");
  });

  test("escape interrupts, and queued messages return to the composer", async () => {
    await using terminal = await startTerminal({ model: [hangs(says("It begins"))] });
    await terminal.until("Describe a task");
    await terminal.type("go on for ever");
    await terminal.keys("Enter");
    await terminal.until(/Working .*esc to interrupt/);
    await terminal.type("and then this");
    await terminal.keys("Tab");
    await terminal.until("◷ and then this");

    await terminal.keys("Escape");

    const screen = await terminal.until("⚠ Interrupted");
    expect(screen).toContain("› and then this");
    expect(screen).not.toContain("Working");
  });

  test("a message sent while a turn runs steers it", async () => {
    await using terminal = await startTerminal({
      model: [waits, says("In German, then.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("write it");
    await terminal.keys("Enter");
    await terminal.until("Running until");

    await terminal.type("in German please");
    await terminal.keys("Enter");
    await terminal.until("↳ in German please");
    await letGo(terminal);

    await terminal.until("In German, then.");
    expect(terminal.model.requests).toHaveLength(2);
    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("in German please");
    expect(await terminal.screen()).toContain("› in German please");
  });

  test("a queued message starts the next turn", async () => {
    await using terminal = await startTerminal({
      model: [waits, says("First done."), says("Second done.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("first");
    await terminal.keys("Enter");
    await terminal.until("Running until");
    await terminal.type("second");
    await terminal.keys("Tab");
    await terminal.until("◷ second");
    await letGo(terminal);

    const screen = await terminal.until("Second done.");
    expect(screen).toMatch(/First done\.[\s\S]*› second[\s\S]*Second done\./);
  });
});
