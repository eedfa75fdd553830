import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the composer", () => {
  test("@ finds files by their letters", async () => {
    await using terminal = await startTerminal({
      model: [says("Seen.")],
      files: { "readme.md": "", "main-view.ts": "", "other.ts": "" },
    });
    await terminal.until("Say what to do");

    await terminal.type("look at @mvts");
    await terminal.until("› main-view.ts");
    await terminal.keys("Tab");
    await terminal.until("› look at main-view.ts");
    await terminal.keys("Enter");

    await terminal.until("Seen.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("look at main-view.ts");
  });

  test("/ offers the commands, and runs the one that is chosen", async () => {
    await using terminal = await startTerminal({});
    await terminal.until("Say what to do");
    await terminal.type("/sta");
    await terminal.until("› /status");
    await terminal.keys("Enter");

    const screen = await terminal.until("conversation");
    expect(screen).toMatch(/model +mock-model/);
    expect(screen).toMatch(/permissions +full access/);
  });

  test("a long paste is one word until it is sent", async () => {
    await using terminal = await startTerminal({ model: [says("Read.")] });
    await terminal.until("Say what to do");
    const lines = Array.from({ length: 30 }, (_, index) => `pasted line ${index}`).join("\n");

    await terminal.tmux("set-buffer", lines);
    await terminal.tmux("paste-buffer", "-p");
    await terminal.until("[paste #1 +30 lines]");
    await terminal.keys("Enter");

    await terminal.until("Read.");
    expect(JSON.stringify(terminal.model.requests[0]?.body)).toContain("pasted line 29");
  });

  test("! runs a command of the user's own", async () => {
    await using terminal = await startTerminal({});
    await terminal.until("Say what to do");
    await terminal.type("!echo from $((40+2))");
    await terminal.keys("Enter");

    expect(await terminal.until("from 42")).toContain("You ran echo from $((40+2))");
  });

  test("up brings back what was sent, and ctrl+r searches it, also in the next session", async () => {
    await using terminal = await startTerminal({ model: [says("One."), says("Two.")] });
    await terminal.until("Say what to do");
    await terminal.type("first thing");
    await terminal.keys("Enter");
    await terminal.until("One.");
    await terminal.type("second thing");
    await terminal.keys("Enter");
    await terminal.until("Two.");

    await terminal.keys("Up", "Up");
    await terminal.until(/› first thing\n +mock-model/);
    await terminal.keys("C-c");
    await terminal.keys("C-r");
    await terminal.until("Messages you sent");
    await terminal.type("second");
    await terminal.keys("Enter");

    await terminal.until(/› second thing\n +mock-model/);
  });

  test("the message can be written in the editor of the user", async () => {
    await using terminal = await startTerminal({
      env: { EDITOR: "sh -c 'echo written outside >> \"$1\"' sh" },
    });
    await terminal.until("Say what to do");
    await terminal.type("begun here ");
    await terminal.keys("C-g");

    expect(await terminal.until("written outside")).toContain("› begun here");
  });
});

describe.skipIf(!(await hasTmux()))("conversations", () => {
  test("resume shows an earlier one and goes on with it; esc esc goes back in it", async () => {
    const model = [says("The answer is seven."), says("Still seven.")];
    await using terminal = await startTerminal({ model });
    await terminal.until("Say what to do");
    await terminal.type("what is it?");
    await terminal.keys("Enter");
    await terminal.until(/seven\.[\s\S]*tokens/);
    await terminal.type("/new");
    await terminal.keys("Enter");
    await terminal.until((text) => (text.match(/Quire, compatible/g) ?? []).length === 2);

    await terminal.type("/resume");
    await terminal.keys("Enter");
    await terminal.until(/Which conversation[\s\S]*what is it\?/);
    await terminal.keys("Enter");
    await terminal.until("going on");
    await terminal.type("and now?");
    await terminal.keys("Enter");
    await terminal.until("Still seven.");
    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("what is it?");

    await terminal.until("Say what to do");
    await terminal.keys("Escape");
    await terminal.until("esc again");
    await terminal.keys("Escape");
    await terminal.until("Go back to which message?");
    await terminal.keys("Enter");
    const screen = await terminal.until("· a copy");
    expect(screen).toMatch(/› and now\?\n/);
  });

  test("diff shows what is changed and not committed", async () => {
    await using terminal = await startTerminal({ files: { "a.txt": "one\n" } });
    await terminal.until("Say what to do");
    await terminal.type(
      "!git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm x && echo two >> a.txt && echo new > b.txt && echo ready",
    );
    await terminal.keys("Enter");
    await terminal.until(/└ ready/);

    await terminal.type("/diff");
    await terminal.keys("Enter");

    const screen = await terminal.until((text) => text.startsWith(" Changes"));
    expect(screen).toContain("a.txt (+1 -0)");
    expect(screen).toContain("2 +two");
    expect(screen).toContain("b.txt (+1 -0)");
  });

  test("a change to a file is asked for with its diff", async () => {
    const patch = "*** Begin Patch\n*** Add File: notes.txt\n+hello\n+world\n*** End Patch";
    await using terminal = await startTerminal({
      config: 'approval_policy = "untrusted"\nsandbox_mode = "read-only"',
      model: [calls("shell", { command: ["apply_patch", patch] }), says("Written.")],
    });
    await terminal.until("Say what to do");
    await terminal.type("note it");
    await terminal.keys("Enter");
    const asked = await terminal.until("May these changes be made?");
    expect(asked).toContain("Add notes.txt (+2 -0)");
    expect(asked).toContain("1 +hello");
    await terminal.type("y");

    expect(await terminal.until("Written.")).toContain("• Added notes.txt (+2 -0)");
  });
});

describe.skipIf(!(await hasTmux()))("the first run", () => {
  test("asks where the model comes from, and shows the demonstration", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    const screen = await terminal.until("Where does the model come from?");
    expect(screen).toContain("Sign in with ChatGPT");
    expect(screen).toContain("Use an API key");
    expect(screen).toContain("Use a model on this machine");

    await terminal.type("5");
    await terminal.until("Do you trust");
    await terminal.keys("Enter");
    await terminal.until(/model +scripted-model/);
    await terminal.type("mend it");
    await terminal.keys("Enter");

    await terminal.until(/look at the project|Ran ls|Listed/);
  });

  test("a new folder is asked about once, and an answer is remembered", async () => {
    await using terminal = await startTerminal({ isNewFolder: true, config: "" });
    await terminal.until("Do you trust what is in");
    await terminal.keys("Enter");
    await terminal.until("workspace-write, on-request");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");
  });
});
