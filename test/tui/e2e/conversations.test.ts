import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("conversations", () => {
  test("resume shows an earlier session and continues it; esc esc edits a message in it", async () => {
    const model = [says("The answer is seven."), says("Still seven.")];
    await using terminal = await startTerminal({ model });
    await terminal.until("Describe a task");
    await terminal.type("what is it?");
    await terminal.keys("Enter");
    await terminal.until(/seven\.[\s\S]*tokens/);
    await terminal.type("/new");
    await terminal.keys("Enter");
    await terminal.until((text) => (text.match(/Quire, compatible/g) ?? []).length === 2);

    await terminal.type("/resume");
    await terminal.keys("Enter");
    await terminal.until(/Select a session[\s\S]*what is it\?/);
    await terminal.keys("Enter");
    await terminal.until("resumed");
    await terminal.type("and now?");
    await terminal.keys("Enter");
    await terminal.until("Still seven.");
    expect(JSON.stringify(terminal.model.requests[1]?.body)).toContain("what is it?");

    await terminal.until("Describe a task");
    await terminal.keys("Escape");
    await terminal.until("press esc again");
    await terminal.keys("Escape");
    await terminal.until("Return to before which message?");
    await terminal.keys("Enter");
    await terminal.until("What should be rewound?");
    await terminal.keys("Enter");
    const screen = await terminal.until("The conversation was rewound");
    expect(screen).toMatch(/› and now\?\n/);
  });

  test("resume finds a session by name, and reports an unknown name", async () => {
    await using terminal = await startTerminal({ model: [says("Noted.")] });
    await terminal.until("Describe a task");
    await terminal.type("remember me");
    await terminal.keys("Enter");
    await terminal.until(/Noted\.[\s\S]*Describe a task/);
    await terminal.type("/rename my work");
    await terminal.keys("Enter");
    await terminal.until("Renamed to my work");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");

    await terminal.restart("resume", "my work");
    const resumed = await terminal.until(/resumed[\s\S]*remember me[\s\S]*Describe a task/);
    expect(resumed).not.toContain("deprecated");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");
    await terminal.restart("resume", "other work");

    const screen = await terminal.until("ended with 1");
    expect(screen).toContain('No session is named "other work"');
  });

  test("diff shows uncommitted changes", async () => {
    await using terminal = await startTerminal({ files: { "a.txt": "one\n" } });
    await terminal.until("Describe a task");
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

  test("[security H3] diff runs no program from the repository's configuration with write access", async () => {
    await using terminal = await startTerminal({
      config: 'sandbox_mode = "danger-full-access"',
      files: { "a.txt": "one\n", ".gitattributes": "* filter=e\n" },
    });
    await terminal.until("Describe a task");
    await terminal.type(
      "!git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm x && echo two >> a.txt && git config filter.e.clean 'touch mark; cat' && git config core.fsmonitor 'touch mark' && echo ready",
    );
    await terminal.keys("Enter");
    await terminal.until(/└ ready/);

    await terminal.type("/diff");
    await terminal.keys("Enter");
    await terminal.until((text) => text.startsWith(" Changes") && text.includes("2 +two"));
    await terminal.type("q");
    await terminal.until("Describe a task");
    await terminal.type("!test ! -e mark && echo unharmed");
    await terminal.keys("Enter");

    await terminal.until(/└ unharmed/);
  });

  test("[terminal R3] a file change is approved with its diff, which is drawn once", async () => {
    const patch = "*** Begin Patch\n*** Add File: notes.txt\n+hello\n+world\n*** End Patch";
    await using terminal = await startTerminal({
      config: 'approval_policy = "untrusted"\nsandbox_mode = "read-only"',
      model: [calls("shell", { command: ["apply_patch", patch] }), says("Written.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("note it");
    await terminal.keys("Enter");
    const asked = await terminal.until("Apply these changes?");
    expect(asked.match(/Add notes\.txt \(\+2 -0\)/g)).toHaveLength(1);
    expect(asked).toContain("1 +hello");
    await terminal.type("y");

    expect(await terminal.until("Written.")).toContain("✓ Added notes.txt (+2 -0)");
  });
});
