import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the screen", () => {
  test("preserves the scrollback, and redraws a stream after a resize without leftovers", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    await using terminal = await startTerminal({
      model: [[{ message: `Begin.\n\n${words}\n\nEnd.`, deltas: 12, pause_ms: 25 }]],
      columns: 80,
    });
    await terminal.until("Describe a task");
    await terminal.type("speak");
    await terminal.keys("Enter");
    await terminal.until("word5 ");
    await terminal.resize(50, 20);
    await terminal.until("word25");
    await terminal.resize(100, 30);

    await terminal.until(/End\.[\s\S]*tokens/);

    const history = await terminal.history();
    expect(history.match(/Quire, compatible/g)).toHaveLength(1);
    expect(history.match(/› speak/g)).toHaveLength(1);
    expect(history.match(/• Begin\./g)).toHaveLength(1);
    for (const word of words.split(" ")) {
      expect(history.match(new RegExp(`\\b${word}\\b`, "g")), word).toHaveLength(1);
    }
    expect(history).not.toContain("Working");
  });

  test("a hostile stream changes nothing but the text", async () => {
    const attack = [
      "before ",
      "\x1b]0;owned\x07",
      "\x1b[2J\x1b[H",
      "\x1b[?1049h",
      "\x1b]52;c;b3duZWQ=\x07",
      "\x1b[8mhidden\x1b[0m",
      "\x9b2J",
      "\x1bP+q544e\x1b\\",
      "\x1b[1000A",
      "\x1bc",
      "&#27;[2J",
      " after",
    ].join("");
    const file = JSON.stringify(attack).replaceAll("\\u001b", "\\033");
    await using terminal = await startTerminal({
      model: [
        calls("shell", { command: ["printf", attack.replaceAll("%", "%%")] }),
        calls(
          "shell",
          {
            command: [
              "sh",
              "-c",
              `printf 'out\\033[2J\\033]0;owned\\007put' # ${file.slice(0, 40)}`,
            ],
          },
          "c2",
        ),
        [{ message: `${attack}\n\n\`\`\`\n${attack}\n\`\`\`\n\nstill here`, deltas: 5 }],
      ],
    });
    await terminal.until("Describe a task");
    await terminal.type("attack");
    await terminal.keys("Enter");

    const screen = await terminal.until(/still here[\s\S]*tokens/);

    expect(screen).toContain("before hidden after");
    expect(screen).toContain("output");
    expect(await terminal.history()).toContain("Quire, compatible");
    expect(
      (await terminal.tmux("display-message", "-p", "#{pane_title}|#{alternate_on}")).trim(),
    ).toMatch(/^(?!.*owned).*\|0$/);
    await expect(terminal.tmux("show-buffer")).rejects.toThrow();
  });

  test("NO_COLOR disables colors", async () => {
    await using terminal = await startTerminal({
      model: [says("plain `code` words")],
      env: { NO_COLOR: "1" },
    });
    await terminal.until("Describe a task");
    await terminal.type("hi");
    await terminal.keys("Enter");
    await terminal.until("plain code words");

    const styled = await terminal.tmux("capture-pane", "-p", "-e");
    expect(styled).not.toMatch(/\x1b\[[\d;]*\b(?:3[0-9]|9[0-7])\b[\d;]*m/);
  });

  test("the transcript shows long output unfolded, and closing it restores the screen", async () => {
    await using terminal = await startTerminal({
      model: [calls("shell", { command: ["seq", "100", "160"] }), says("Counted.")],
    });
    await terminal.until("Describe a task");
    await terminal.type("count");
    await terminal.keys("Enter");
    const screen = await terminal.until("• Counted.");
    expect(screen).toContain("more lines (ctrl+t to view all)");
    expect(screen).not.toContain("130");

    await terminal.keys("C-t");
    await terminal.until((text) => text.startsWith(" Session"));
    await terminal.keys("g");
    await terminal.keys("PageDown");
    await terminal.until("    130\n");
    await terminal.keys("q");

    await terminal.until((text) => !text.includes("to close") && text.includes("Counted."));
  });
});
